#include "reports/evidence/key_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr std::string_view public_word = "shakedown-ed25519";
constexpr std::string_view secret_word = "shakedown-ed25519-secret";
constexpr std::size_t largest_key_file = 4096;

tl::unexpected<Error> key_failure(const fs::path& path, std::string_view verb) {
  return fail_environment(path.string(), fmt::format("cannot {}: {}", verb, std::strerror(errno)));
}

/// Writes a file that must not be there. A failed one is removed.
Result<void> write_new_file(const fs::path& path, std::string_view content, mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0 && errno == EEXIST)
    return fail(path.string(), "is there already: no key is overwritten", "choose another name with -o NAME");
  if (fd < 0) return key_failure(path, "create");
  const bool written =
      ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()) && ::fsync(fd) == 0;
  Result<void> done;
  if (!written) done = key_failure(path, "write");
  ::close(fd);
  if (!written) ::unlink(path.c_str());
  return done;
}

/// The words of a key's file: what it is, the key, the comment.
struct KeyLine {
  std::string_view word;
  std::string_view key;
  std::string_view comment;
};
KeyLine key_line(std::string_view text) {
  KeyLine line;
  text = trimmed(text);
  const auto take = [&] {
    const std::string_view word = text.substr(0, text.find(' '));
    text = trimmed(text.substr(word.size()));
    return word;
  };
  line.word = take();
  line.key = take();
  line.comment = text;
  return line;
}

Result<std::string> key_text(const fs::path& path) {
  auto text = file_content_within(path, largest_key_file);
  if (!text) text.error().fault = Fault::input;
  return text;
}

}  // namespace

Result<KeyFiles> make_key_files(const std::string& name, const std::string& comment) {
  KeyFiles files{name + ".key", name + ".pub", ""};
  std::error_code code;
  if (fs::exists(fs::symlink_status(files.public_file, code)))
    return fail(files.public_file.string(), "is there already: no key is overwritten",
                "choose another name with -o NAME");
  const SigningKey key = new_signing_key();
  const std::string end = comment.empty() ? "\n" : " " + comment + "\n";
  if (auto written = write_new_file(files.secret, fmt::format("{} {}{}", secret_word, key.secret, end),
                                    S_IRUSR | S_IWUSR);
      !written)
    return failure_of(written);
  if (auto written =
          write_new_file(files.public_file, fmt::format("{} {}{}", public_word, key.public_key, end), 0666);
      !written) {
    fs::remove(files.secret, code);
    return failure_of(written);
  }
  files.public_key = key.public_key;
  return files;
}

Result<SigningKey> read_secret_key(const fs::path& path) {
  const auto text = key_text(path);
  if (!text) return failure_of(text);
  const KeyLine line = key_line(*text);
  auto key = signing_key(line.key);
  if (line.word == public_word)
    return fail(path.string(), "is a public key, which can't sign", "give the file that ends in .key");
  if (line.word != secret_word || !key)
    return fail(path.string(), "is no signing key", "`shakedown keygen -o NAME` makes one: NAME.key");
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return fail(path.string(), "can be read by others than its owner: who has it can sign in its place",
                fmt::format("chmod 600 {}", shell_quoted(path.string())));
  return *std::move(key);
}

Result<PublicKeyFile> read_public_key(const fs::path& path) {
  const auto text = key_text(path);
  if (!text) return failure_of(text);
  const KeyLine line = key_line(*text);
  if (line.word == secret_word)
    return fail(path.string(), "is a secret key: never pass it on", "give the file that ends in .pub");
  if (line.word != public_word || !is_public_key(line.key))
    return fail(path.string(), "is no public key of shakedown", "`shakedown keygen -o NAME` makes NAME.pub");
  return PublicKeyFile{std::string(line.key), printable_line(line.comment)};
}

std::string fingerprint_of(std::string_view public_key) {
  const std::string digits = sha256(bytes_of_base64(public_key).value_or("")).substr(0, 32);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); i += 4) text += (i > 0 ? "-" : "") + digits.substr(i, 4);
  return text;
}

}  // namespace shakedown
