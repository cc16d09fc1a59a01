#include "reports/evidence/read_ahead.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace shakedown {
namespace {
constexpr std::size_t most_ahead = 8;  // pieces: 8 MiB
}  // namespace

struct ReadAhead::State {
  std::function<Result<std::string>()> read;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Result<std::string>> pieces;
  std::exception_ptr thrown;
  bool stopped = false;
  bool over = false;
  std::jthread thread;

  void run() {
    try {
      while (true) {
        Result<std::string> piece = read();
        const bool last = !piece || piece->empty();
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return stopped || pieces.size() < most_ahead; });
        if (stopped) return;
        pieces.push_back(std::move(piece));
        changed.notify_all();
        if (last) return;
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      thrown = std::current_exception();
      changed.notify_all();
    }
  }
};

ReadAhead::ReadAhead(std::function<Result<std::string>()> read) : state_(std::make_unique<State>()) {
  state_->read = std::move(read);
  state_->thread = std::jthread([state = state_.get()] { state->run(); });
}
ReadAhead::ReadAhead(ReadAhead&& other) noexcept = default;
ReadAhead& ReadAhead::operator=(ReadAhead&& other) noexcept = default;

ReadAhead::~ReadAhead() {
  if (!state_) return;
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopped = true;
  }
  state_->changed.notify_all();
}

Result<std::string> ReadAhead::next() {
  std::unique_lock lock(state_->mutex);
  if (state_->over) return std::string();
  state_->changed.wait(lock, [this] { return !state_->pieces.empty() || state_->thrown; });
  if (state_->pieces.empty()) std::rethrow_exception(state_->thrown);
  Result<std::string> piece = std::move(state_->pieces.front());
  state_->pieces.pop_front();
  state_->over = !piece || piece->empty();
  state_->changed.notify_all();
  return piece;
}

}  // namespace shakedown
