/// Wrong tries for a name, as servers that share accounts tell each other.
package struct SignInFailures: Hashable, Sendable {
  /// For how long after the last one they count.
  package static let lifetime = Duration.seconds(900)

  /// How many there were.
  package let count: Int
  /// How long ago the last one was.
  package let age: Duration
  /// How long until the last try that waits has its turn; zero or less where none waits.
  package let turn: Duration

  /// Some that were noted.
  package init(count: Int, age: Duration, turn: Duration) {
    self.count = count
    self.age = age
    self.turn = turn
  }
}
