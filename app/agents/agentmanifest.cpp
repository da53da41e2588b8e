// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/agentmanifest.h"

#include <QCoreApplication>

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>
#include <cstring>

namespace proctor
{

namespace
{

struct Manifest {
    Q_DECLARE_TR_FUNCTIONS(proctor::AgentManifest)
};

using Writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

constexpr unsigned parseFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                                rapidjson::kParseNanAndInfFlag | rapidjson::kParseValidateEncodingFlag;

/// About where Python's reader gives up. Each level also indents what is in it: without a bound, a small text
/// becomes a huge one.
constexpr int deepest = 1000;
/// And what is larger than this is not indented, as each of its values would be, at whatever depth.
constexpr qsizetype largestIndented = 256 << 10;
constexpr unsigned indentation = 2;

/// Passes on what the parser finds.
class Copy
{
public:
    explicit Copy(Writer *writer)
        : m_writer(writer)
    {
    }

    bool Null() { return m_writer->Null(); }
    bool Bool(bool value) { return m_writer->Bool(value); }
    bool Int(int value) { return m_writer->Int(value); }
    bool Uint(unsigned value) { return m_writer->Uint(value); }
    bool Int64(int64_t value) { return m_writer->Int64(value); }
    bool Uint64(uint64_t value) { return m_writer->Uint64(value); }
    /// NaN and the infinities alone do not come as raw numbers; they are passed on in Python's spelling.
    bool Double(double value)
    {
        const char *word = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        return RawNumber(word, static_cast<rapidjson::SizeType>(std::strlen(word)), true);
    }
    bool RawNumber(const char *text, rapidjson::SizeType length, bool)
    {
        return m_writer->RawValue(text, length, rapidjson::kNumberType);
    }
    bool String(const char *text, rapidjson::SizeType length, bool) { return m_writer->String(text, length); }
    bool Key(const char *text, rapidjson::SizeType length, bool) { return m_writer->Key(text, length); }
    bool StartObject() { return enter() && m_writer->StartObject(); }
    bool EndObject(rapidjson::SizeType count)
    {
        --m_depth;
        return m_writer->EndObject(count);
    }
    bool StartArray() { return enter() && m_writer->StartArray(); }
    bool EndArray(rapidjson::SizeType count)
    {
        if (--m_depth == 0)
            m_length = count;
        return m_writer->EndArray(count);
    }

    /// Elements of the outermost array; 0 when the outermost value is none.
    rapidjson::SizeType length() const { return m_length; }
    bool isTooDeep() const { return m_depth > deepest; }

private:
    bool enter() { return ++m_depth <= deepest; }

    Writer *m_writer;
    int m_depth = 0;
    rapidjson::SizeType m_length = 0;
};

void write(Writer &writer, const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    writer.String(bytes.constData(), static_cast<rapidjson::SizeType>(bytes.size()));
}

void write(Writer &writer, const char *key, const QString &text)
{
    writer.Key(key);
    write(writer, text);
}

Expected<rapidjson::SizeType> copy(Writer &writer, const QByteArray &json, const QString &name)
{
    rapidjson::MemoryStream stream(json.constData(), static_cast<size_t>(json.size()));
    rapidjson::Reader reader;
    Copy copy(&writer);
    writer.SetIndent(' ', json.size() > largestIndented ? 0 : indentation);
    const rapidjson::ParseResult result = reader.Parse<parseFlags>(stream, copy);
    writer.SetIndent(' ', indentation);
    if (copy.isTooDeep())
        return Error(Manifest::tr("The task's %1 is nested more than %2 levels deep").arg(name).arg(deepest));
    if (result.IsError())
        return Error(Manifest::tr("The task's %1 is not valid JSON: %2 (at byte %3)")
                         .arg(name, QString::fromLatin1(rapidjson::GetParseError_En(result.Code())))
                         .arg(result.Offset() + 1));
    return copy.length();
}

} // namespace

Expected<QByteArray> AgentManifest::toJson() const
{
    rapidjson::StringBuffer buffer;
    Writer writer(buffer);
    writer.SetIndent(' ', indentation);
    writer.StartObject();
    write(writer, "protocol_version", QStringLiteral("1.0"));
    write(writer, "instance_id", instanceId);
    writer.Key("prompts");
    writer.StartObject();
    write(writer, "system", system);
    write(writer, "user", user);
    writer.EndObject();

    writer.Key("tools");
    writer.StartObject();
    write(writer, "url", toolUrl);
    writer.Key("definitions");
    const auto tools = copy(writer, toolDefinitions, QStringLiteral("tool_defs.json"));
    if (!tools)
        return tools.error();
    if (*tools == 0)
        return Error(Manifest::tr("The task's tool_defs.json is not a list with at least one tool, which an "
                                  "agent on the host needs"));
    writer.EndObject();

    writer.Key("task_context");
    if (taskContext.trimmed().isEmpty()) {
        writer.Null();
    } else {
        const auto context = copy(writer, taskContext, QStringLiteral("context.json"));
        if (!context)
            return context.error();
    }

    writer.Key("output");
    writer.StartObject();
    write(writer, "directory", outputFolder);
    writer.Key("paths");
    writer.StartArray();
    for (const QString &path : outputPaths)
        write(writer, path);
    writer.EndArray();
    writer.EndObject();

    writer.Key("llm");
    writer.StartObject();
    write(writer, "base_url", modelUrl);
    write(writer, "model", model);
    write(writer, "api_key_env", QStringLiteral("LLM_API_KEY"));
    writer.EndObject();
    writer.EndObject();
    return QByteArray(buffer.GetString(), static_cast<qsizetype>(buffer.GetSize())) + '\n';
}

} // namespace proctor
