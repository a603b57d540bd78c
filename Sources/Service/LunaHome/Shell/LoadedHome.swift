/// A file that was read, and what it says on this machine.
public struct LoadedHome: Sendable {
  /// The file, with everything that is wrong in it.
  public let file: HomeFile
  /// What it says, by the time zones of this machine.
  public let configuration: HomeConfiguration

  /// What is left out of what people have made, or called otherwise, for a person; nil for nothing.
  package let leftOut: String?

  /// A file that was read.
  public init(file: HomeFile, configuration: HomeConfiguration) {
    self.init(file: file, configuration: configuration, leftOut: nil)
  }

  /// A file that was read, without some of what people have made.
  package init(file: HomeFile, configuration: HomeConfiguration, leftOut: String?) {
    self.file = file
    self.configuration = configuration
    self.leftOut = leftOut
  }

  /// The same with trackers found to be of models.
  func with(_ models: [String: String]) -> LoadedHome {
    LoadedHome(file: file, configuration: configuration.with(models), leftOut: leftOut)
  }
}
