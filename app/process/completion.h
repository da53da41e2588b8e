// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>

#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

namespace proctor
{

/// The end of a step, awaited once by a coroutine: `const T end = co_await completion;`.
///
/// It always ends in a value: the first complete() decides, later ones are ignored, and a Completion that is
/// destroyed before it was completed yields `abandoned`. A waiting coroutine is resumed from the event loop
/// of the thread that awaits, never inside complete() or the destructor; a value that is already there is
/// taken without suspending. What is shared is owned by both sides, so the Completion may be destroyed while
/// it is awaited and the coroutine may be destroyed while it waits.
///
/// One thread, one waiter, one await. The thread's event loop has to run until the coroutine has ended.
template<typename T>
class Completion
{
    struct State {
        std::optional<T> value;
        std::coroutine_handle<> waiter;
    };

public:
    explicit Completion(T abandoned = T())
        : m_state(std::make_shared<State>())
        , m_abandoned(std::move(abandoned))
    {
    }
    ~Completion() { complete(std::move(m_abandoned)); }
    Q_DISABLE_COPY_MOVE(Completion)

    bool isComplete() const { return m_state->value.has_value(); }

    void complete(T value)
    {
        if (isComplete())
            return;
        m_state->value.emplace(std::move(value));
        if (m_state->waiter)
            resumeLater(m_state);
    }

    class Awaiter
    {
    public:
        explicit Awaiter(std::shared_ptr<State> state)
            : m_state(std::move(state))
        {
        }
        Awaiter(Awaiter &&) noexcept = default;
        Awaiter &operator=(Awaiter &&) = delete;
        ~Awaiter()
        {
            if (m_waits)
                m_state->waiter = nullptr;
        }

        bool await_ready() const noexcept { return m_state->value.has_value(); }
        void await_suspend(std::coroutine_handle<> waiter) noexcept
        {
            Q_ASSERT_X(!m_state->waiter, "Completion", "awaited by two coroutines");
            m_waits = true;
            m_state->waiter = waiter;
        }
        T await_resume() { return std::move(*m_state->value); }

    private:
        std::shared_ptr<State> m_state;
        bool m_waits = false;
    };

    Awaiter operator co_await() const { return Awaiter(m_state); }

private:
    static void resumeLater(const std::shared_ptr<State> &state)
    {
        // The dispatcher is an object of this thread that outlives every step.
        QMetaObject::invokeMethod(
            QAbstractEventDispatcher::instance(),
            [state] {
                if (const auto waiter = std::exchange(state->waiter, nullptr))
                    waiter.resume();
            },
            Qt::QueuedConnection);
    }

    std::shared_ptr<State> m_state;
    T m_abandoned;
};

} // namespace proctor
