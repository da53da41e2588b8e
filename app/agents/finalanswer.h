// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace proctor
{

/// What an agent leaves behind, made of the last text of a model. UTF-8, with a newline at the end.
struct FinalAnswer {
    /// answer.json: numbers and the order of keys are as the model wrote them.
    QByteArray json;
    /// answer.md.
    QByteArray markdown;

    /// The rules are those of flyai-bench's example agent:
    /// - a fence around the whole text, of three or more backticks or tildes, is taken off; of a text with
    ///   words around them, the last ```json block that holds JSON is what counts;
    /// - an object whose "answer_json" is an object is the wrapping of both answers: "answer_md", if it is a
    ///   text and not blank, is the Markdown;
    /// - what is no JSON becomes {"response": text};
    /// - a text that begins with "#" is the Markdown as it is, any other gets a heading.
    static FinalAnswer of(const QString &text);
};

} // namespace proctor
