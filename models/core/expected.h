// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <utility>
#include <variant>

namespace proctor
{

/// Why something could not be done, as a sentence the user can act on. `file`, `line` and `column`
/// (both counted from 1, 0 = unknown) say where in the user's input the cause is.
struct Error {
    /// What has to change before it can go well: what was asked for, or the machine (no room on the disk, no
    /// right to write, a device that fails).
    enum class Kind { Input, Machine };

    Error() = default;
    explicit Error(QString sentence)
        : message(std::move(sentence))
    {
    }
    Error(QString sentence, QString inFile, int atLine = 0, int atColumn = 0)
        : message(std::move(sentence))
        , file(std::move(inFile))
        , line(atLine)
        , column(atColumn)
    {
    }

    QString message;
    QString file;
    int line = 0;
    int column = 0;
    Kind kind = Kind::Input;

    /// The error as one of the machine.
    static Error ofMachine(QString sentence, QString inFile = {})
    {
        Error error(std::move(sentence), std::move(inFile));
        error.kind = Kind::Machine;
        return error;
    }

    /// "file:line:column: message", leaving out what is not known.
    QString text() const;
    bool operator==(const Error &) const = default;
};

/// Success of an operation that yields nothing. A type of its own: QCoro's tasks take std::monostate for "no
/// result yet".
struct Nothing {
    bool operator==(const Nothing &) const = default;
};

/// A value or the error that took its place; the part of C++23's std::expected that we need.
template<typename T, typename E = Error>
class [[nodiscard]] Expected
{
public:
    Expected(T value)
        : m_content(std::in_place_index<0>, std::move(value))
    {
    }
    Expected(E error)
        : m_content(std::in_place_index<1>, std::move(error))
    {
    }

    bool hasValue() const { return m_content.index() == 0; }
    explicit operator bool() const { return hasValue(); }

    /// Only to be called when hasValue().
    const T &value() const & { return std::get<0>(m_content); }
    T &value() & { return std::get<0>(m_content); }
    T &&value() && { return std::get<0>(std::move(m_content)); }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

    /// Only to be called when not hasValue().
    const E &error() const { return std::get<1>(m_content); }

private:
    std::variant<T, E> m_content;
};

} // namespace proctor
