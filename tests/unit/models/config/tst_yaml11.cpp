// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/yaml11.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include <cmath>

using namespace proctor;
using Kind = YamlScalar::Kind;

// How the peer's loader sees each scalar, one "type value" a line; numbers with the digits that tell them
// apart.
static const char *const askPyYaml = R"(
import datetime, json, sys, yaml
def show(value):
    if value is None: return "null"
    if isinstance(value, bool): return f"bool {str(value).lower()}"
    if isinstance(value, int): return f"int {value}" if -2**63 <= value < 2**63 else f"int {float(value)!r}"
    if isinstance(value, float): return f"float {value!r}"
    if isinstance(value, datetime.date): return "timestamp"
    return f"text {value}"
def load(text):
    try: return show(yaml.safe_load("[" + text + "]")[0])
    except Exception: return "invalid"
print(json.dumps([load(text) for text in json.load(sys.stdin)]))
)";

static QString pythonFloat(double number)
{
    if (std::isnan(number))
        return QStringLiteral("nan");
    if (std::isinf(number))
        return number < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    return QString::number(number, 'g', QLocale::FloatingPointShortest);
}

static QString show(const YamlScalar &scalar)
{
    switch (scalar.kind) {
    case Kind::Null:
        return QStringLiteral("null");
    case Kind::Bool:
        return scalar.boolean ? QStringLiteral("bool true") : QStringLiteral("bool false");
    case Kind::Int:
        return QStringLiteral("int ") +
               (scalar.integer ? QString::number(*scalar.integer) : pythonFloat(scalar.number));
    case Kind::Float:
        return QStringLiteral("float ") + pythonFloat(scalar.number);
    case Kind::Timestamp:
        return QStringLiteral("timestamp");
    case Kind::Invalid:
    case Kind::Merge: // means something as a key only
        return QStringLiteral("invalid");
    case Kind::Text:
        return QStringLiteral("text ") + scalar.text;
    }
    return {};
}

/// "float 1.0" and "float 1" are the same number written by two languages.
static bool agree(const QString &ours, const QString &theirs)
{
    if (ours == theirs)
        return true;
    const auto type = [](const QString &shown) { return shown.section(u' ', 0, 0); };
    const auto number = [](const QString &shown) { return shown.section(u' ', 1).toDouble(); };
    const bool isNumber = type(ours) == QLatin1String("float") || type(ours) == QLatin1String("int");
    return isNumber && type(ours) == type(theirs) && number(ours) == number(theirs) && number(ours) != 0;
}

class TestYaml11 : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithPyYaml();
    void resolves_data();
    void resolves();
    void resolvesTags();
};

void TestYaml11::agreesWithPyYaml()
{
    const QStringList scalars =
        QStringLiteral(
            "~|null|Null|NULL|nULL|yes|Yes|YES|yEs|no|NO|on|On|off|OFF|y|n|Y|true|True|TRUE|tRUE|false|False|"
            "0|-0|+1|1|42|1_800|1_|_1|0777|0_7|08|09|0o17|0b101|-0b11|0b_|0b2|0x1F|-0xff|0xG|0x_|1:30|1:30:"
            "00|-1:30|1:60|"
            "0:30|01:30|190:20:30|1.0|1.|.5|-.5|+.5|1.5e3|1.5e+3|1.5e-3|1e3|1E5|.inf|-.inf|+.INF|.Inf|.nan|."
            "NaN|-.nan|inf|NaN|"
            "1_0.5_0|1:30.5|1:30.|._5|.|..|9223372036854775807|-9223372036854775808|9223372036854775808|"
            "123456789012345678901234567890|2026-09-01|2026-9-1|2026-13-01|2026-02-30|0000-01-01|2026-09-"
            "01T10:00:00Z|"
            "2026-09-01 10:00:00|2026-9-1 1:00:00.5 "
            "+2|2026-09-01T24:00:00|2026-09-01T10:00:00+24|2026-09-01T10:00|=|<<|"
            "1.2.3|4g|1800s|python3 "
            "/app/x|0.1|3.14159|1.7976931348623157e+308|1.0e+400|5e-324|4.9e-324|-|+|12e03|1__0")
            .split(u'|');
    QVERIFY(scalars.size() > 60);
    QProcess python;
    python.start(QStringLiteral("/usr/bin/python3"), {QStringLiteral("-c"), QString::fromUtf8(askPyYaml)});
    QVERIFY(python.waitForStarted());
    python.write(QJsonDocument(QJsonArray::fromStringList(scalars)).toJson());
    python.closeWriteChannel();
    QVERIFY(python.waitForFinished());
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    const QJsonArray theirs = QJsonDocument::fromJson(python.readAllStandardOutput()).array();
    QCOMPARE(theirs.size(), scalars.size());

    QStringList differing;
    for (qsizetype i = 0; i < scalars.size(); ++i) {
        const QString ours = show(resolvePlainScalar(scalars[i]));
        if (!agree(ours, theirs[i].toString()))
            differing << QStringLiteral("%1: ours %2, theirs %3").arg(scalars[i], ours, theirs[i].toString());
    }
    QVERIFY2(differing.isEmpty(), qPrintable(differing.join(u'\n')));
}

void TestYaml11::resolves_data()
{
    QTest::addColumn<QString>("scalar");
    QTest::addColumn<QString>("meaning");
    QTest::newRow("empty") << ""
                           << "null";
    QTest::newRow("underscores") << "1_800"
                                 << "int 1800";
    QTest::newRow("octal") << "0777"
                           << "int 511";
    QTest::newRow("octal of YAML 1.2") << "0o17"
                                       << "text 0o17";
    QTest::newRow("minutes") << "1:30"
                             << "int 90";
    QTest::newRow("off") << "off"
                         << "bool false";
    QTest::newRow("float without dot") << "1e3"
                                       << "text 1e3";
    QTest::newRow("no such month") << "2026-13-01"
                                   << "invalid";
    QTest::newRow("largest") << "9223372036854775807"
                             << "int 9223372036854775807";
    QTest::newRow("smallest") << "-9223372036854775808"
                              << "int -9223372036854775808";
}

void TestYaml11::resolves()
{
    QFETCH(QString, scalar);
    QTEST(show(resolvePlainScalar(scalar)), "meaning");
}

void TestYaml11::resolvesTags()
{
    const auto tagged = [](const char *text, const char *type) {
        const auto value = resolveTaggedScalar(QLatin1String(text),
                                               QStringLiteral("tag:yaml.org,2002:") + QLatin1String(type));
        return value ? show(*value) : QStringLiteral("unknown");
    };
    QCOMPARE(tagged("5", "str"), QStringLiteral("text 5"));
    QCOMPARE(tagged("0777", "int"), QStringLiteral("int 511"));
    QCOMPARE(tagged("abc", "int"), QStringLiteral("invalid"));
    QCOMPARE(tagged("5", "float"), QStringLiteral("float 5"));
    QCOMPARE(tagged("zz", "bool"), QStringLiteral("invalid"));
    QCOMPARE(tagged("anything", "null"), QStringLiteral("null"));
    QCOMPARE(tagged("os.system", "python/name"), QStringLiteral("unknown"));
    QVERIFY(!resolveTaggedScalar(QStringLiteral("5"), QStringLiteral("!mine")));
}

QTEST_GUILESS_MAIN(TestYaml11)
#include "tst_yaml11.moc"
