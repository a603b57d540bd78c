/// What a slot of `luna-command` is: small requests on one connection, each of which waits for its answer
/// (UPLINK.md, 4).
package enum CommandSlot {
  /// What is spoken on the connection instead of HTTP.
  package static let name = "luna-commands"
  /// How many requests there are, and how many of the first are not counted.
  package static let requests = (all: 26, uncounted: 6)
  /// How long one is, bytes.
  package static let request = 300
  /// How long the answer to one is, bytes.
  package static let answer = 2 << 10
  /// What all answers take.
  package static let bytes = requests.all * answer
}
