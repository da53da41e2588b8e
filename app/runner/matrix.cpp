// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/matrix.h"

#include "app/runner/examspec.h"
#include "app/runner/matrixfile.h"
#include "models/core/nearname.h"
#include "models/exam/instanceid.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>

namespace proctor
{

namespace
{

/// Multiplies the axes out.
class Multiplication
{
public:
    Multiplication(LoadedMatrix *matrix, const MatrixFile &file, QString path, const MatrixContext &context)
        : m_matrix(matrix)
        , m_file(file)
        , m_path(std::move(path))
        , m_context(context)
    {
    }

    void run();

private:
    /// Nothing when it has errors, which are among the diagnostics by then.
    std::optional<EvalConfig> configuration(const MatrixFile::Name *name,
                                            const MatrixFile::Agent *agent = nullptr);
    void addEntry(const EvalConfig &base, const MatrixFile::Name *config, const MatrixFile::Name *model,
                  const MatrixFile::Agent *agent);
    std::optional<EvalConfig> withAgent(const EvalConfig &base, const MatrixFile::Name *config,
                                        const MatrixFile::Agent &agent);
    void refuse(const YamlMark &mark, const QString &sentence, const QString &key);
    void add(const Diagnostics &diagnostics);

    LoadedMatrix *m_matrix;
    const MatrixFile &m_file;
    QString m_path;
    const MatrixContext &m_context;
    QSet<QString> m_folders;
};

/// The elements of an axis as pointers; one null pointer for an axis that the file does not have.
template<typename T>
QList<const T *> choices(const QList<T> &axis)
{
    QList<const T *> choices;
    for (const T &choice : axis)
        choices << &choice;
    return choices.isEmpty() ? QList<const T *>{nullptr} : choices;
}

void Multiplication::run()
{
    for (const auto *config : choices(m_file.configs)) {
        const auto base = configuration(config);
        if (!base)
            continue;
        for (const auto *model : choices(m_file.models)) {
            for (const auto *agent : choices(m_file.agents))
                addEntry(*base, config, model, agent);
        }
    }
}

std::optional<EvalConfig> Multiplication::configuration(const MatrixFile::Name *name,
                                                        const MatrixFile::Agent *agent)
{
    ConfigOverrides overrides = m_context.overrides;
    if (agent) {
        overrides.agent = agent->name.text;
        overrides.withoutRegisteredAgent = agent->cmd.has_value();
    }
    QString file = m_context.configFile;
    if (name && !file.isEmpty()) {
        overrides.datasetConfig = name->text;
    } else if (name) {
        const bool hasEnding =
            name->text.endsWith(QStringLiteral(".yaml")) || name->text.endsWith(QStringLiteral(".yml"));
        file =
            QFileInfo(m_path).dir().filePath(hasEnding ? name->text : name->text + QStringLiteral(".yaml"));
        if (!QFileInfo(file).isFile()) {
            refuse(name->mark,
                   QStringLiteral("There is no configuration “%1” beside the matrix: %2 does not exist")
                       .arg(name->text, file),
                   QStringLiteral("configs"));
            return std::nullopt;
        }
    }
    LoadedConfig loaded = loadEvalConfig(file, overrides);
    add(loaded.diagnostics);
    if (!loaded.isUsable())
        return std::nullopt;
    return std::move(loaded.config);
}

std::optional<EvalConfig> Multiplication::withAgent(const EvalConfig &base, const MatrixFile::Name *config,
                                                    const MatrixFile::Agent &agent)
{
    if (agent.cmd) {
        // Read again, as limits and output paths of `base` may be those of a registration.
        auto changed = configuration(config, &agent);
        if (changed)
            changed->agent.cmd = *agent.cmd;
        return changed;
    }
    if (base.agents.contains(agent.name.text))
        return configuration(config, &agent);
    const auto guess = nearestName(agent.name.text, base.agents.keys());
    refuse(agent.name.mark,
           QStringLiteral("The configuration%1 registers no agent “%2”%3. An agent that is not registered is "
                          "written with its command line: {name: %2, cmd: COMMAND}")
               .arg(base.file.isEmpty() ? QString() : QLatin1Char(' ') + base.file, agent.name.text,
                    guess ? QStringLiteral("; do you mean “%1”?").arg(*guess) : QString()),
           QStringLiteral("agents"));
    return std::nullopt;
}

void Multiplication::addEntry(const EvalConfig &base, const MatrixFile::Name *config,
                              const MatrixFile::Name *model, const MatrixFile::Agent *agent)
{
    MatrixEntry entry{base, {}};
    QStringList folder;
    if (agent) {
        const auto changed = withAgent(base, config, *agent);
        if (!changed)
            return;
        entry.config = *changed;
        entry.agentName = agent->name.text;
    }
    if (model) {
        entry.config.agent.llmModel = model->text;
        folder << model->text;
    }
    if (agent)
        folder << agent->name.text;
    if (!folder.isEmpty()) {
        entry.config.runner.outputDir =
            QDir(entry.config.runner.outputDir).filePath(instanceFolderName(folder.join(QLatin1Char('_'))));
    }

    ExamSpec spec;
    spec.config = entry.config;
    const QString results = spec.resultsFolder();
    if (m_folders.contains(results)) {
        refuse(
            config ? config->mark : YamlMark{1, 1, 0},
            QStringLiteral("Two combinations would share the results folder %1 (dataset config “%2”): give "
                           "each configuration a dataset.config or runner.output_dir of its own")
                .arg(results, entry.config.dataset.config),
            QStringLiteral("configs"));
        return;
    }
    m_folders.insert(results);
    m_matrix->entries << entry;
}

void Multiplication::refuse(const YamlMark &mark, const QString &sentence, const QString &key)
{
    add({Diagnostic{Diagnostic::Severity::Error, {sentence, m_path, mark.line, mark.column}, key}});
}

/// Each remark once, though many combinations share what it is about.
void Multiplication::add(const Diagnostics &diagnostics)
{
    for (const Diagnostic &diagnostic : diagnostics) {
        if (!m_matrix->diagnostics.contains(diagnostic))
            m_matrix->diagnostics << diagnostic;
    }
}

} // namespace

LoadedMatrix loadMatrix(const QString &path, const MatrixContext &context)
{
    LoadedMatrix matrix;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        const Error error(QStringLiteral("Cannot read the matrix: %1").arg(file.errorString()), path);
        matrix.diagnostics << Diagnostic{Diagnostic::Severity::Error, error, {}};
        return matrix;
    }
    const MatrixFile axes = parseMatrixFile(file.readAll(), path);
    matrix.diagnostics = axes.diagnostics;
    if (matrix.isUsable())
        Multiplication(&matrix, axes, path, context).run();
    return matrix;
}

} // namespace proctor
