import CommandSpec
import Foundation

/// A folder with completion scripts of the sample program and some files to complete.
enum SampleFiles {
  /// Adapters are looked for in the folder's `radios`, which is there on every machine.
  static func create(in folder: URL) throws {
    for name in ["captures", "radios/hci0", "radios/hci1"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    try Data().write(to: folder.appending(path: "cap file"))
    for shell in Shell.allCases {
      let script = shell.completions(for: SampleProgram.root.description)
        .replacing("/sys/class/bluetooth", with: folder.appending(path: "radios").path)
      try Data(script.utf8).write(to: folder.appending(path: "luna.\(shell.rawValue)"))
    }
  }
}
