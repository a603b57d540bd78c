import FileOutput
import LunaStore
import LunaTesting

/// A state directory that goes with the test.
final class TemporaryState: Sendable {
  private let folder = TestFolder()

  var path: String { folder.path }

  var directory: StateDirectory { StateDirectory(path: path) }

  /// What is in the directory of credentials.
  var files: [String] { Directory.names(in: path + "/account")?.sorted() ?? [] }
}
