// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/savefile.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

class TestSaveFile : public QObject
{
    Q_OBJECT

private slots:
    void replacesTheFile();
    void leavesTheOldFileWhenThereIsNoRoom_data();
    void leavesTheOldFileWhenThereIsNoRoom();
    void explainsAPlaceThatCannotBeWritten();
};

static QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestSaveFile::replacesTheFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"f"_s);
    QVERIFY(saveFile(path, "old"));
    QVERIFY(saveFile(path, "new"));
    QCOMPARE(contentOf(path), QByteArray("new"));
}

void TestSaveFile::leavesTheOldFileWhenThereIsNoRoom_data()
{
    QTest::addColumn<int>("bytes");
    QTest::newRow("in one buffer") << 100;
    QTest::newRow("in many buffers") << 1'000'000;
}

void TestSaveFile::leavesTheOldFileWhenThereIsNoRoom()
{
    QFETCH(int, bytes);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"f"_s);
    QVERIFY(saveFile(path, "old"));

    rlimit before = {};
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit full{static_cast<rlim_t>(bytes / 2), before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
    const auto saved = saveFile(path, QByteArray(bytes, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);

    QVERIFY(!saved);
    QCOMPARE(saved.error().file, path);
    QVERIFY(!saved.error().message.isEmpty());
    QCOMPARE(contentOf(path), QByteArray("old"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"f"_s});
}

void TestSaveFile::explainsAPlaceThatCannotBeWritten()
{
    const QTemporaryDir folder;
    QVERIFY(saveFile(folder.filePath(u"f"_s), "x"));
    QVERIFY(!saveFile(folder.filePath(u"f/g"_s), "x"));
}

QTEST_GUILESS_MAIN(TestSaveFile)
#include "tst_savefile.moc"
