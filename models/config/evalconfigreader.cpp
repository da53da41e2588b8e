// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/evalconfigreader.h"

#include "models/config/agentregistrationreader.h"
#include "models/config/configkeys.h"
#include "models/config/configsections.h"
#include "models/core/nearname.h"
#include "models/exam/instanceid.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <limits>

namespace proctor
{

namespace
{
struct Reader {
    Q_DECLARE_TR_FUNCTIONS(proctor::EvalConfigReader)
};
} // namespace

static QString resolvedPath(const QString &path)
{
    const QFileInfo info(path);
    return info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
}

EvalConfigReader::EvalConfigReader(const QString &path, const ConfigOverrides &overrides)
    : m_overrides(overrides)
    , m_report(path)
{
    m_config.configDir = QDir::currentPath();
    if (path.isEmpty())
        return;
    m_config.file = resolvedPath(path);
    m_config.configDir = QFileInfo(m_config.file).absolutePath();
}

LoadedConfig EvalConfigReader::read(const QByteArray &yaml)
{
    m_root = readRoot(yaml);
    readSections();
    applyOverrides();
    readRegistrations();
    return {m_config, m_report.sorted()};
}

static bool isFalse(const YamlNode &node)
{
    const YamlScalar &scalar = node.scalar;
    if (!node.isScalar())
        return node.items.isEmpty() && node.entries.isEmpty();
    return scalar.isNull() || (scalar.isText() && scalar.text.isEmpty()) ||
           (scalar.isNumber() && scalar.number == 0) ||
           (scalar.kind == YamlScalar::Kind::Bool && !scalar.boolean);
}

/// The top mapping; null when there is none.
YamlNodePtr EvalConfigReader::readRoot(const QByteArray &yaml)
{
    const auto document = YamlDocument::parse(yaml, m_report.file());
    if (!document) {
        m_report.add({Diagnostic{Diagnostic::Severity::Error, document.error(), {}}});
        return nullptr;
    }
    m_report.add(document->diagnostics);
    const YamlNodePtr root = document->root;
    if (!root || root->isMapping())
        return root;
    if (!isFalse(*root))
        m_report.error(root->start, {},
                       Reader::tr("a configuration is a mapping of sections like 'agent:' and 'runner:'"));
    else if (!root->isNull()) // the peer's defaults apply, as without a file
        m_report.warning(root->start, {},
                         Reader::tr("this configuration holds no sections; the defaults apply"));
    return nullptr;
}

void EvalConfigReader::readSections()
{
    const ConfigSection dataset = section(QStringLiteral("dataset"));
    readDataset(dataset, m_config.configDir, m_config.dataset);
    const ConfigSection docker = section(QStringLiteral("docker"));
    readDocker(docker, m_config.docker);
    const ConfigSection agent = section(QStringLiteral("agent"));
    readAgent(agent, m_config.agent);
    m_namePlace = agent.placeOf(QStringLiteral("name"));
    const ConfigSection verifier = section(QStringLiteral("verifier"));
    readVerifier(verifier, m_config.verifier);
    const ConfigSection runner = section(QStringLiteral("runner"));
    readRunner(runner, m_config.runner);

    for (const ConfigSection *values : {&dataset, &docker, &agent, &verifier, &runner})
        values->hintAtUnknown(configKeys(values->path()),
                              values == &agent ? legacyAgentKeys() : QStringList());
    ConfigSection({}, m_root, m_report).hintAtUnknown(configSections());
}

/// The section of this name; one without content counts as absent, anything else but a mapping is reported.
ConfigSection EvalConfigReader::section(const QString &name)
{
    const YamlEntry *entry = m_root ? m_root->entry(name) : nullptr;
    if (!entry)
        return {name, nullptr, m_report};
    const YamlNode &node = *entry->value;
    // The peer refuses an empty `agent` and ignores the others.
    if (node.isNull() && name != QLatin1String("agent"))
        m_report.warning(entry->key->start, name,
                         Reader::tr("the section '%1' is empty; its defaults apply").arg(name));
    else if (!node.isMapping())
        m_report.error(node.start, name,
                       Reader::tr("the section '%1' must be a mapping of keys to values").arg(name));
    return {name, node.isMapping() ? entry->value : nullptr, m_report};
}

static void overrideText(const std::optional<QString> &value, QString &target)
{
    if (value && !value->isEmpty())
        target = *value;
}

void EvalConfigReader::overrideNumber(const std::optional<int> &value, const QString &option, int most,
                                      int &target)
{
    if (!value)
        return;
    if (*value < 0)
        m_report.error({}, {}, Reader::tr("%1 must not be negative, but it is %2").arg(option).arg(*value));
    else if (*value > most)
        m_report.error({}, {},
                       Reader::tr("%1 must be at most %2, but it is %3").arg(option).arg(most).arg(*value));
    else // the peer takes 0 for one
        target = std::max(*value, 1);
}

void EvalConfigReader::applyOverrides()
{
    overrideText(m_overrides.datasetConfig, m_config.dataset.config);
    overrideText(m_overrides.outputDir, m_config.runner.outputDir);
    overrideText(m_overrides.registry, m_config.docker.registry);
    using Runner = EvalConfig::Runner;
    overrideNumber(m_overrides.concurrency, QStringLiteral("--concurrency"), Runner::mostConcurrency,
                   m_config.runner.concurrency);
    overrideNumber(m_overrides.runs, QStringLiteral("--runs"), Runner::mostRuns, m_config.runner.runs);
    if (m_overrides.limit == 0) {
        m_config.runner.limit.reset();
    } else if (m_overrides.limit) {
        int limit = 0;
        overrideNumber(m_overrides.limit, QStringLiteral("--limit"), std::numeric_limits<int>::max(), limit);
        m_config.runner.limit = limit;
    }
    m_config.runner.sandbox = m_overrides.sandbox.value_or(m_config.runner.sandbox);
    if (m_overrides.agent && !m_overrides.agent->isEmpty()) {
        m_config.agent.name = *m_overrides.agent;
        m_namePlace = {};
    }
    if (m_overrides.withoutRegisteredAgent)
        m_config.agent.name.clear();
    if (const auto problem = m_overrides.datasetConfig ? idProblem(m_config.dataset.config) : std::nullopt) {
        m_report.error({}, QStringLiteral("dataset.config"),
                       Reader::tr("--dataset-config cannot name a results folder: %1").arg(*problem));
    }
}

void EvalConfigReader::readRegistrations()
{
    const QString key = QStringLiteral("agents");
    const YamlEntry *agents = m_root ? m_root->entry(key) : nullptr;
    if (agents && !agents->value->isMapping()) {
        m_report.error(agents->value->start, key,
                       Reader::tr("'agents' must be a mapping of agent names to registrations"));
        return;
    }
    if (agents) {
        for (const YamlEntry &entry : agents->value->entries)
            readRegistered(entry);
    }
    if (!m_config.agent.name.isEmpty())
        selectRegistration();
}

/// Only the selected registration can spoil a run: what is wrong with the others is a warning.
void EvalConfigReader::readRegistered(const YamlEntry &entry)
{
    const QString name = entry.key->scalar.text;
    const QString path = QStringLiteral("agents.") + name;
    ConfigReport report(m_report.file());
    if (!entry.key->isText())
        report.error(entry.key->start, path,
                     Reader::tr("the agent name %1 must be text, here in quotes").arg(name));
    else if (!entry.value->isMapping())
        report.error(entry.value->start, path, Reader::tr("%1 must be a mapping with a 'command'").arg(path));

    if (!report.sorted().isEmpty())
        m_broken << name;
    else
        m_config.agents.insert(name, readRegistration({path, entry.value, report}, name, m_config.configDir));

    Diagnostics found = report.sorted();
    const bool isSelected = entry.key->isText() && name == m_config.agent.name;
    for (Diagnostic &diagnostic : found) {
        if (!isSelected && diagnostic.severity == Diagnostic::Severity::Error)
            diagnostic.severity = Diagnostic::Severity::Warning;
    }
    m_report.add(found);
}

void EvalConfigReader::selectRegistration()
{
    EvalConfig::Agent &agent = m_config.agent;
    const QStringList names = m_config.agents.keys();
    const auto registration = m_config.agents.constFind(agent.name);
    if (registration == m_config.agents.constEnd() && m_broken.contains(agent.name))
        return;
    if (registration == m_config.agents.constEnd()) {
        QString message =
            Reader::tr("unknown agent '%1'; registered agents: %2")
                .arg(agent.name, names.isEmpty() ? Reader::tr("none") : names.join(QStringLiteral(", ")));
        if (const auto guess = nearestName(agent.name, names))
            message += Reader::tr("; did you mean '%1'?").arg(*guess);
        m_report.error(m_namePlace, QStringLiteral("agent.name"), message);
        return;
    }
    agent.registration = *registration;
    agent.timeoutSec = registration->timeoutSec.value_or(agent.timeoutSec);
    agent.outputPaths = registration->outputPaths.value_or(agent.outputPaths);
}

} // namespace proctor
