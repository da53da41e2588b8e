// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/proxy/httpmessage.h"

#include <optional>

namespace proctor
{

/// Bytes and counts above which a request is refused.
struct HttpParserLimits {
    /// Request line and headers with their line ends.
    qsizetype head = 64 * 1024;
    int headers = 128;
    qint64 body = 64LL << 20;
};

/// Why a request was refused: the status to answer before the connection is closed, and a sentence.
struct HttpRefusal {
    int status = 400;
    const char *sentence = "";
};

/// Reads HTTP/1.0 and 1.1 requests out of a stream of bytes (RFC 9112), strictly: what two readers could
/// understand differently is refused. How the bytes are cut makes no difference to what comes out.
///
/// Refused are: lines that do not end in CR LF, a bare CR, NUL and other control characters, space before a
/// header's colon, folded headers, Content-Length together with Transfer-Encoding, lengths that differ or are
/// not just digits, any coding but `chunked`, chunk sizes that are not just hexadecimal digits, an 1.1
/// request without exactly one Host, and everything over the limits. After a refusal nothing more is read.
class HttpParser
{
public:
    explicit HttpParser(HttpParserLimits limits = {});

    /// Reads on, to the end of one request at the most; how many of the bytes it took. The rest belongs to
    /// the next request and is to be fed again after take().
    qsizetype feed(QByteArrayView bytes);

    /// Nothing of a request has come yet.
    bool isFresh() const { return m_step == Step::RequestLine && m_headSize == 0 && m_line.isEmpty(); }
    bool isComplete() const { return m_step == Step::Complete; }
    const std::optional<HttpRefusal> &refusal() const { return m_refusal; }
    /// The client waits for "100 Continue" before it sends the body. True until the first byte of that.
    bool awaitsContinue() const { return m_awaitsContinue; }
    /// Bytes of body that are kept for the request under way.
    qsizetype held() const { return m_request.body.size(); }

    /// Hands the complete request over and gets ready for the next.
    HttpRequest take();

private:
    enum class Step { RequestLine, Header, SizedBody, ChunkSize, ChunkData, ChunkEnd, Trailer, Complete };

    qsizetype takeLine(QByteArrayView bytes);
    qsizetype takeBody(QByteArrayView bytes);
    /// Bytes that the line under way may have in all, and what is said when it has more.
    qsizetype lineRoom() const;
    HttpRefusal lineTooLong() const;

    void readLine(const QByteArray &line);
    void readRequestLine(const QByteArray &line);
    void readHeader(const QByteArray &line);
    void finishHead();
    void readChunkSize(const QByteArray &line);
    void refuse(HttpRefusal refusal);

    HttpParserLimits m_limits;
    Step m_step = Step::RequestLine;
    HttpRequest m_request;
    std::optional<HttpRefusal> m_refusal;
    bool m_awaitsContinue = false;
    QByteArray m_line;
    /// What came of the head, of chunk extensions and of trailers.
    qsizetype m_headSize = 0, m_extensionSize = 0, m_trailerSize = 0;
    /// Bytes that are still to come of the body or of the chunk.
    qint64 m_left = 0;
};

} // namespace proctor
