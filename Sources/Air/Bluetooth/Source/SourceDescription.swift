/// What a source is, for the first line of output.
public struct SourceDescription: Hashable, Sendable {
  /// The radio path or the file: `observe:hci0`, `virtual:7`, `trace.btsnoop`.
  public let name: String
  /// Whether the advertisements are made up.
  public let simulated: Bool
  /// One sentence for a person: which path this is and why it was taken.
  public let explanation: String

  /// What a source tells of itself; programs read `name` and `simulated`, people `explanation`.
  public init(name: String, simulated: Bool, explanation: String) {
    self.name = name
    self.simulated = simulated
    self.explanation = explanation
  }
}
