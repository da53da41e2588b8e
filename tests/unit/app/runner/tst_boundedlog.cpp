// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/boundedlog.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace proctor;

class TestBoundedLog : public QObject
{
    Q_OBJECT

private:
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }

private slots:
    void keepsWhatFits_data()
    {
        QTest::addColumn<int>("bytes");
        for (int bytes : {0, 1, 49, 50, 51, 74, 99})
            QTest::addRow("%d", bytes) << bytes;
    }

    void keepsWhatFits()
    {
        QFETCH(int, bytes);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("log"));
        QByteArray written;
        for (int i = 0; i < bytes; ++i)
            written += static_cast<char>('a' + i % 26);
        BoundedLog log(path, 100);
        for (const char byte : written)
            log.write(QByteArray(1, byte));
        log.close();
        QVERIFY(!log.isTruncated());
        QCOMPARE(contentOf(path), written);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList(QStringLiteral("log")));
    }

    void keepsBeginningAndEnd_data()
    {
        QTest::addColumn<int>("piece");
        for (int piece : {1, 7, 60, 1000})
            QTest::addRow("pieces of %d", piece) << piece;
    }

    void keepsBeginningAndEnd()
    {
        QFETCH(int, piece);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("log"));
        QByteArray written = "BEGIN" + QByteArray(5000, '.') + "END";
        BoundedLog log(path, 100);
        for (qsizetype at = 0; at < written.size(); at += piece)
            log.write(written.mid(at, piece));
        log.close();
        const QByteArray kept = contentOf(path);
        QVERIFY(log.isTruncated());
        QVERIFY(kept.startsWith("BEGIN"));
        QVERIFY(kept.endsWith("END"));
        const auto dots = kept.count('.');
        const QByteArray said = "[… " + QByteArray::number(5000 - dots) + " bytes left out …]";
        QVERIFY2(kept.contains(said), kept);
    }

    void countsWhatNeverArrived()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("log"));
        BoundedLog log(path, 100);
        log.write("abc");
        log.addLost(12345);
        log.close();
        QVERIFY(contentOf(path).contains("12345 bytes left out"));
    }

    void saysWhenTheDiskIsFull()
    {
        BoundedLog log(QStringLiteral("/dev/full"), 100);
        log.write("abc");
        QVERIFY(!log.problem().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestBoundedLog)
#include "tst_boundedlog.moc"
