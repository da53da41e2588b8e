// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpparser.h"

#include <algorithm>
#include <utility>

namespace proctor
{

/// A size, its extensions and the line end.
static constexpr qsizetype chunkLineLimit = 1024;
/// Extensions of all chunks of a request together: nobody sends any.
static constexpr qsizetype extensionsLimit = 16 * 1024;
static constexpr qsizetype trailersLimit = 8 * 1024;
static constexpr qsizetype methodLimit = 32;
/// Digits that certainly fit into a qint64.
static constexpr qsizetype lengthDigits = 15;

static bool isTokenCharacter(char c)
{
    static constexpr QByteArrayView marks = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || marks.contains(c);
}

static bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), isTokenCharacter);
}

static bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

static bool isText(QByteArrayView value)
{
    return std::none_of(value.begin(), value.end(), [](char c) { return isControl(c) && c != '\t'; });
}

static bool isTarget(QByteArrayView target)
{
    const bool hasForm = target.startsWith('/') || target == "*";
    return hasForm &&
           std::none_of(target.begin(), target.end(), [](char c) { return isControl(c) || c == ' '; });
}

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

static QByteArrayView withoutSpace(QByteArrayView value)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t'; };
    while (!value.isEmpty() && isSpace(value.front()))
        value = value.sliced(1);
    while (!value.isEmpty() && isSpace(value.back()))
        value.chop(1);
    return value;
}

/// "HTTP/" and two digits with a dot between them.
static bool isVersion(QByteArrayView text)
{
    return text.size() == 8 && text.startsWith("HTTP/") && isDigit(text[5]) && text[6] == '.' &&
           isDigit(text[7]);
}

HttpParser::HttpParser(HttpParserLimits limits)
    : m_limits(limits)
{
}

qsizetype HttpParser::feed(QByteArrayView bytes)
{
    qsizetype taken = 0;
    while (taken < bytes.size() && m_step != Step::Complete && !m_refusal) {
        const QByteArrayView rest = bytes.sliced(taken);
        const bool inBody = m_step == Step::SizedBody || m_step == Step::ChunkData;
        taken += inBody ? takeBody(rest) : takeLine(rest);
    }
    return taken;
}

HttpRequest HttpParser::take()
{
    m_step = Step::RequestLine;
    m_headSize = m_extensionSize = m_trailerSize = 0;
    m_left = 0;
    return std::exchange(m_request, {});
}

qsizetype HttpParser::takeBody(QByteArrayView bytes)
{
    m_awaitsContinue = false;
    const qsizetype size = std::min<qint64>(bytes.size(), m_left);
    m_request.body += bytes.first(size);
    m_left -= size;
    if (m_left == 0)
        m_step = m_step == Step::SizedBody ? Step::Complete : Step::ChunkEnd;
    return size;
}

qsizetype HttpParser::lineRoom() const
{
    switch (m_step) {
    case Step::ChunkSize:
        return chunkLineLimit;
    case Step::ChunkEnd:
        return 2;
    case Step::Trailer:
        return trailersLimit - m_trailerSize;
    default:
        return m_limits.head - m_headSize;
    }
}

HttpRefusal HttpParser::lineTooLong() const
{
    if (m_step == Step::ChunkSize || m_step == Step::ChunkEnd)
        return {400, "malformed chunk"};
    return {431, "the request's headers are too large"};
}

qsizetype HttpParser::takeLine(QByteArrayView bytes)
{
    m_awaitsContinue = false;
    const qsizetype lineFeed = bytes.indexOf('\n');
    const qsizetype size = lineFeed < 0 ? bytes.size() : lineFeed + 1;
    if (m_line.size() + size > lineRoom()) {
        refuse(lineTooLong());
        return size;
    }
    m_line += bytes.first(size);
    if (lineFeed < 0)
        return size;

    const QByteArray line = std::exchange(m_line, {});
    if (m_step == Step::Trailer)
        m_trailerSize += line.size();
    else if (m_step == Step::RequestLine || m_step == Step::Header)
        m_headSize += line.size();
    if (line.endsWith("\r\n"))
        readLine(line.chopped(2));
    else
        refuse({400, "a line of the request does not end in CR LF"});
    return size;
}

void HttpParser::readLine(const QByteArray &line)
{
    switch (m_step) {
    case Step::RequestLine:
        // Some clients send a line end too many behind a body.
        if (!line.isEmpty())
            readRequestLine(line);
        break;
    case Step::Header:
        if (line.isEmpty())
            finishHead();
        else
            readHeader(line);
        break;
    case Step::ChunkSize:
        readChunkSize(line);
        break;
    case Step::ChunkEnd:
        if (line.isEmpty())
            m_step = Step::ChunkSize;
        else
            refuse({400, "malformed chunk"});
        break;
    default:
        if (line.isEmpty())
            m_step = Step::Complete;
        else
            readHeader(line);
    }
}

void HttpParser::readRequestLine(const QByteArray &line)
{
    const QList<QByteArray> parts = line.split(' ');
    const bool wellFormed = parts.size() == 3 && isToken(parts[0]) && parts[0].size() <= methodLimit &&
                            isTarget(parts[1]) && isVersion(parts[2]);
    if (!wellFormed)
        return refuse({400, "malformed request line"});
    if (parts[2] != "HTTP/1.0" && parts[2] != "HTTP/1.1")
        return refuse({505, "only HTTP/1.0 and HTTP/1.1 are spoken here"});
    m_request.method = parts[0];
    m_request.target = parts[1];
    m_request.minorVersion = parts[2].back() - '0';
    m_step = Step::Header;
}

void HttpParser::readHeader(const QByteArray &line)
{
    const qsizetype colon = line.indexOf(':');
    if (colon < 0 || !isToken(QByteArrayView(line).first(colon)))
        return refuse({400, "malformed header"});
    const QByteArrayView value = withoutSpace(QByteArrayView(line).sliced(colon + 1));
    if (!isText(value))
        return refuse({400, "a header holds a control character"});
    // Trailers say nothing that is needed here.
    if (m_step == Step::Trailer)
        return;
    if (m_request.headers.size() >= m_limits.headers)
        return refuse({431, "the request has too many headers"});
    m_request.headers << HttpHeader{line.first(colon).toLower(), value.toByteArray()};
}

namespace
{

/// What the headers say about the body.
struct Framing {
    std::optional<QByteArray> length;
    int hosts = 0;
    int codings = 0;
    bool isChunked = false;
    bool lengthsDiffer = false;
    bool expects = false, expectsContinue = false;
};

Framing framingOf(const HttpRequest &request)
{
    Framing framing;
    for (const HttpHeader &header : request.headers) {
        if (header.name == "host") {
            ++framing.hosts;
        } else if (header.name == "content-length") {
            framing.lengthsDiffer =
                framing.lengthsDiffer || (framing.length && *framing.length != header.value);
            framing.length = header.value;
        } else if (header.name == "transfer-encoding") {
            ++framing.codings;
            framing.isChunked = header.value.compare("chunked", Qt::CaseInsensitive) == 0;
        } else if (header.name == "expect") {
            framing.expects = true;
            framing.expectsContinue = header.value.compare("100-continue", Qt::CaseInsensitive) == 0;
        }
    }
    return framing;
}

bool isLength(const QByteArray &text)
{
    return !text.isEmpty() && text.size() <= lengthDigits && std::all_of(text.begin(), text.end(), isDigit);
}

std::optional<HttpRefusal> problemOf(const Framing &framing, int minorVersion)
{
    if (framing.hosts > 1 || (framing.hosts == 0 && minorVersion >= 1))
        return HttpRefusal{400, "a request needs one Host header"};
    if (framing.codings > 0 && framing.length)
        return HttpRefusal{400, "Content-Length and Transfer-Encoding exclude each other"};
    if (framing.codings > 1 || (framing.codings == 1 && minorVersion < 1))
        return HttpRefusal{400, "bad Transfer-Encoding"};
    if (framing.codings == 1 && !framing.isChunked)
        return HttpRefusal{501, "unknown transfer coding"};
    if (framing.lengthsDiffer || (framing.length && !isLength(*framing.length)))
        return HttpRefusal{400, "bad Content-Length"};
    if (minorVersion >= 1 && framing.expects && !framing.expectsContinue)
        return HttpRefusal{417, "unknown expectation"};
    return std::nullopt;
}

} // namespace

void HttpParser::finishHead()
{
    const Framing framing = framingOf(m_request);
    if (const auto problem = problemOf(framing, m_request.minorVersion))
        return refuse(*problem);
    m_left = framing.length ? framing.length->toLongLong() : 0;
    if (m_left > m_limits.body)
        return refuse({413, "the request's body is too large"});
    if (framing.isChunked)
        m_step = Step::ChunkSize;
    else
        m_step = m_left > 0 ? Step::SizedBody : Step::Complete;
    m_awaitsContinue = framing.expectsContinue && m_request.minorVersion >= 1 && m_step != Step::Complete;
}

void HttpParser::readChunkSize(const QByteArray &line)
{
    const qsizetype end = line.indexOf(';');
    const QByteArrayView digits = end < 0 ? QByteArrayView(line) : QByteArrayView(line).first(end);
    const bool isSize = !digits.isEmpty() && digits.size() <= lengthDigits &&
                        std::all_of(digits.begin(), digits.end(), [](char c) {
                            return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
                        });
    m_extensionSize += line.size() - digits.size();
    if (!isSize || !isText(line) || m_extensionSize > extensionsLimit)
        return refuse({400, "malformed chunk"});
    m_left = digits.toByteArray().toLongLong(nullptr, 16);
    if (m_left > m_limits.body - m_request.body.size())
        return refuse({413, "the request's body is too large"});
    m_step = m_left > 0 ? Step::ChunkData : Step::Trailer;
}

void HttpParser::refuse(HttpRefusal refusal)
{
    m_refusal = refusal;
    m_request = {};
    m_line.clear();
}

} // namespace proctor
