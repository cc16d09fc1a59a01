#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace training {

/// Random numbers that follow from a seed and the number of a stream alone, so that every rank draws the
/// same without a message. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (splitmix64).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t bits();
  double uniform();      ///< in [0, 1)
  int below(int limit);  ///< in [0, limit)
  double normal();       ///< mean 0, variance 1

 private:
  std::uint64_t state_;
};

/// A text of the grammar and what it takes to predict it.
struct Text {
  std::vector<int> tokens;  ///< the mark of the beginning, then as many tokens as were asked for
  double surprise = 0;      ///< -ln P(tokens): see Grammar
};

/// A probabilistic grammar with nested clauses, made from a seed.
///
/// A text is a chain of words: each has four possible successors. Anywhere a clause may open, of one of
/// several kinds; in it words follow each other by the kind's own chain, clauses may nest, and behind its
/// closing token, which must be of its kind, the outer chain goes on from its last word before the clause.
/// So the successor's odds depend on the innermost clause's kind and on a word that may be far back: a model
/// that sees two or three tokens alone can't have them.
///
/// What generates a token is a function of the tokens before it (the stack of open clauses is), so the
/// `surprise` over the number of tokens is the log-perplexity of the best possible model of these texts: the
/// floor below which no model comes but by chance.
class Grammar {
 public:
  static constexpr int kinds = 2;
  static constexpr int words = 31;
  static constexpr int vocabulary = 1 + 2 * kinds + words;
  static constexpr int beginning = 0;  ///< the mark; then kinds that open, kinds that close, words

  explicit Grammar(std::uint64_t seed);

  /// A dialect of the same family: for about `share` of the words in each chain the successors are drawn
  /// again from `seed`. Everything else stays.
  [[nodiscard]] Grammar dialect(std::uint64_t seed, double share) const;

  /// A text of `length` tokens behind the mark.
  [[nodiscard]] Text text(Random& random, int length) const;

 private:
  static constexpr int successors = 4;
  static constexpr int deepest = 2;  ///< clauses within clauses
  using Row = std::array<int, successors>;
  using Chain = std::array<Row, words + 1>;  ///< the last row begins a clause

  static void draw(Row& row, Random& random);

  std::array<Chain, kinds + 1> chains_{};  ///< outside of clauses, then by kind
};

/// A set of texts that is never stored: sample `i` is drawn again whenever it is asked for, the same on every
/// rank.
class Samples {
 public:
  /// Those of different `part`s have nothing in common.
  Samples(Grammar grammar, std::uint64_t part, int length)
      : grammar_(grammar), part_(part), length_(length) {}

  [[nodiscard]] Text sample(int i) const;

  /// The tokens of those with the given numbers, each with its mark: (length + 1) for each.
  [[nodiscard]] std::vector<int> tokens(const std::vector<int>& numbers) const;

  /// Log-perplexity of the best possible model on the first `count`: see Grammar.
  [[nodiscard]] double floor(int count) const;

 private:
  Grammar grammar_;
  std::uint64_t part_;
  int length_;
};

/// The numbers 0 to count - 1 in the order in which an epoch takes them, by the run's seed.
std::vector<int> shuffled(int count, std::uint64_t seed, int epoch);

}  // namespace training
