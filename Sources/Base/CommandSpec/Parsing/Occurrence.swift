/// One time that an option was given.
struct Occurrence: Sendable, Equatable {
  /// The option's long name.
  var option: String
  var given: Given
  /// How it was written: `-c`, `--count`, or the key in a file.
  var spelling: String
  var place: UsageError.Place

  var text: String? {
    switch given {
    case .text(let text), .named(_, let text): text
    case .on, .off: nil
    }
  }
}
