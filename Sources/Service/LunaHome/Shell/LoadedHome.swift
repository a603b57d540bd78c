/// A file that was read, and what it says on this machine.
public struct LoadedHome: Sendable {
  /// The file, with everything that is wrong in it.
  public let file: HomeFile
  /// What it says, by the time zones of this machine.
  public let configuration: HomeConfiguration

  /// A file that was read.
  public init(file: HomeFile, configuration: HomeConfiguration) {
    self.file = file
    self.configuration = configuration
  }
}
