// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/foldercontent.h"

#include "models/run/checkpoint.h"
#include "models/run/recordreader.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <future>

namespace proctor
{

static QString translated(const char *sentence)
{
    return QCoreApplication::translate("ResultStore", sentence);
}

QString pathIn(const QString &folder, const char *name)
{
    return folder + QLatin1Char('/') + QLatin1String(name);
}

namespace
{

/// The lines of a scores.jsonl, which is read as a whole: mapped into memory it would end the program when
/// somebody shortens it.
class ScoresFile
{
public:
    explicit ScoresFile(const QString &path)
        : m_path(path)
    {
        QFile file(path);
        m_exists = file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
        if (m_exists)
            m_text = file.readAll();
    }

    bool exists() const { return m_exists; }
    qsizetype size() const { return m_text.size(); }

    /// Calls `take(ScoreLine &&, line)` for each record and `broken(Error)` for each line that is none.
    template<typename Take, typename Broken>
    void read(Take take, Broken broken) const
    {
        QByteArrayView text = m_text;
        if (text.startsWith("\xef\xbb\xbf"))
            text = text.sliced(3);
        // Telling a record from its text is most of the work: of a long file a second thread does half of it.
        const qsizetype half = middleOf(text);
        auto second = std::async(std::launch::async, [rest = text.sliced(half)] {
            std::vector<ReadLine> lines;
            readLines(rest, [&lines](ReadLine &&line) { lines.push_back(std::move(line)); });
            return lines;
        });
        int before = 0;
        const auto hand = [&](ReadLine &&line) {
            if (line.record) {
                take(std::move(*line.record), line.text);
            } else {
                Error where = line.record.error();
                where.file = m_path;
                where.line = before + line.number;
                broken(where);
            }
        };
        before = readLines(text.first(half), hand);
        for (ReadLine &line : second.get())
            hand(std::move(line));
    }

private:
    struct ReadLine {
        Expected<ScoreLine> record;
        QByteArrayView text;
        /// Within its part of the file, from 1.
        int number = 0;
    };

    /// Where the second half begins: behind a newline; the end of a file that is not worth a thread.
    static qsizetype middleOf(QByteArrayView text)
    {
        static constexpr qsizetype shortFile = 1 << 20;
        const qsizetype newline = text.size() < shortFile ? -1 : text.indexOf('\n', text.size() / 2);
        return newline < 0 ? text.size() : newline + 1;
    }

    /// Returns the number of lines.
    template<typename Hand>
    static int readLines(QByteArrayView rest, Hand hand)
    {
        RecordReader reader;
        int number = 0;
        while (!rest.isEmpty()) {
            ++number;
            const qsizetype end = rest.indexOf('\n');
            const QByteArrayView line = rest.first(end < 0 ? rest.size() : end).trimmed();
            rest = end < 0 ? QByteArrayView() : rest.sliced(end + 1);
            if (!line.isEmpty())
                hand(ReadLine{reader.read(line), line, number});
        }
        return number;
    }

    QString m_path;
    QByteArray m_text;
    bool m_exists = false;
};

/// Reads scores.jsonl and then the journal over it.
class FolderReader
{
public:
    FolderReader(const QString &folder, const std::optional<Checkpoint> &checkpoint)
        : m_folder(folder)
        , m_checkpoint(checkpoint)
        , m_scores(pathIn(folder, folderfile::scores))
    {
    }

    FolderContent read()
    {
        // Both files are long: they are read at the same time.
        const qint64 from = m_checkpoint ? m_checkpoint->journalBytes : 0;
        auto lines = std::async(
            [path = pathIn(m_folder, folderfile::journal), from] { return JournalLines(path, from); });
        readScores();
        takeAttempts();
        readJournal(lines.get());
        m_content.appendedByPeer = takeAppended(m_content.verdicts, m_appended);
        return std::move(m_content);
    }

private:
    void readScores()
    {
        // Records are rarely shorter: one growth at most.
        static constexpr qsizetype usualLineBytes = 160;
        m_content.hasScores = m_scores.exists();
        m_content.verdicts.reserve(m_scores.size() / usualLineBytes);
        m_scores.read([this](ScoreLine &&record, QByteArrayView line) { take(std::move(record), line); },
                      [this](const Error &where) {
                          m_content.hasBrokenScores = true;
                          m_content.warnings << Diagnostic{Diagnostic::Severity::Warning, where, {}};
                      });
    }

    void takeAttempts()
    {
        if (!m_checkpoint)
            return;
        const QJsonObject &attempts = m_checkpoint->attempts;
        for (auto it = attempts.begin(); it != attempts.end(); ++it) {
            if (const auto slot = slotFromKey(it.key()))
                m_content.verdicts.at(m_content.verdicts.place(*slot)).attempts = it->toInt();
        }
    }

    void take(ScoreLine &&record, QByteArrayView line)
    {
        const qsizetype place = m_content.verdicts.place(record.result.slot());
        const auto index = static_cast<size_t>(place);
        if (m_lines.size() <= index)
            m_lines.resize(index + 1);
        if (record.byPeer) {
            m_appended << std::move(record.result);
            return;
        }
        m_content.verdicts.apply(m_content.verdicts.at(place), std::move(record.result));
        m_lines[index] = line;
    }

    void readJournal(const JournalLines &lines)
    {
        JournalReader journal(pathIn(m_folder, folderfile::journal), m_content.verdicts, m_lines);
        journal.read(lines, m_content.warnings);
        m_content.hasJournal = lines.hasFile();
        m_content.schemaVersion = std::max(m_content.schemaVersion, journal.schemaVersion());
        m_content.openAttempts = journal.openAttempts(lines);
    }

    QString m_folder;
    std::optional<Checkpoint> m_checkpoint;
    ScoresFile m_scores;
    FolderContent m_content;
    std::vector<QByteArrayView> m_lines;
    QList<Result> m_appended;
};

/// Whether two records tell of the same attempt, apart from how it is counted.
bool sayTheSame(Result left, const Result &right)
{
    left.attempt = right.attempt;
    left.runId = right.runId;
    return left == right;
}

} // namespace

QList<Result> takeAppended(Verdicts &verdicts, const QList<Result> &appended)
{
    QList<Result> taken;
    taken.reserve(appended.size());
    for (Result result : appended) {
        Verdicts::Entry &entry = verdicts.at(verdicts.place(result.slot()));
        if (entry.result && sayTheSame(*entry.result, result))
            continue;
        result.attempt = entry.attempts + 1;
        verdicts.apply(entry, result);
        taken << std::move(result);
    }
    return taken;
}

QList<Result> appendedIn(const QString &scoresPath)
{
    QList<Result> appended;
    ScoresFile(scoresPath)
        .read(
            [&appended](ScoreLine &&record, QByteArrayView) {
                if (record.byPeer)
                    appended << std::move(record.result);
            },
            [](const Error &) {});
    return appended;
}

static Expected<std::optional<RunIdentity>> readIdentity(const QString &folder)
{
    QFile file(pathIn(folder, folderfile::identity));
    if (!file.exists())
        return std::optional<RunIdentity>();
    if (!file.open(QIODevice::ReadOnly))
        return Error::ofMachine(translated(QT_TRANSLATE_NOOP("ResultStore", "The file cannot be read: %1"))
                                    .arg(file.errorString()),
                                file.fileName());
    auto identity = RunIdentity::fromFile(file.readAll(), file.fileName());
    if (!identity)
        return identity.error();
    return std::optional<RunIdentity>(std::move(*identity));
}

/// A pipe or a device in the place of a file would keep us waiting for ever, a folder would pass for a file
/// that is not there.
static Expected<Nothing> checkPlaces(const QString &folder)
{
    for (const char *name :
         {folderfile::identity, folderfile::scores, folderfile::journal, folderfile::summary}) {
        const QFileInfo place(pathIn(folder, name));
        if (place.exists() && !place.isFile())
            return Error::ofMachine(translated(QT_TRANSLATE_NOOP(
                                        "ResultStore", "This is not a file. Move it away and try again.")),
                                    place.filePath());
    }
    return Nothing{};
}

Expected<FolderContent> readFolder(const QString &folder)
{
    if (!QFileInfo(folder).isDir())
        return Error{
            translated(QT_TRANSLATE_NOOP("ResultStore", "No results found at %1")).arg(folder), {}, 0, 0};
    if (const auto files = checkPlaces(folder); !files)
        return files.error();
    auto identity = readIdentity(folder);
    if (!identity)
        return identity.error();

    std::optional<Checkpoint> checkpoint;
    if (*identity)
        checkpoint = Checkpoint::validIn(folder, (*identity)->json[checkpointKey].toObject());
    FolderContent content = FolderReader(folder, checkpoint).read();
    content.identity = std::move(*identity);
    if (content.identity) {
        const int version = content.identity->json[QLatin1String("schema_version")].toInt(knownSchemaVersion);
        content.schemaVersion = std::max(content.schemaVersion, version);
    }
    return content;
}

bool FolderContent::isIdentityOfRuns() const
{
    return identity && identity->json[QLatin1String("runs")].toInt(1) > 1;
}

bool FolderContent::hasRuns() const
{
    return isIdentityOfRuns() || verdicts.namesRuns();
}

} // namespace proctor
