import Diagnosis
import EventLoop
import FileOutput
import LunaTracker

/// The sound in a file that only this user may read, in a directory of its own.
actor SoundFile {
  private var folder: TemporaryFolder?
  private let complain: @Sendable (String) -> Void

  init(_ complain: @escaping @Sendable (String) -> Void) { self.complain = complain }

  /// The path of the file; nil when it cannot be written.
  func write(_ seconds: Int) async -> String? {
    if folder == nil { folder = TemporaryFolder("luna") }
    guard let folder else {
      complain("cannot make a directory for the sound")
      return nil
    }
    let path = "\(folder.path)/sound.wav"
    do throws(FileOutputError) {
      try await Blocking.run { () throws(FileOutputError) in
        try FileOutput.write(
          Tone.file(seconds: seconds), to: path, replacing: true, isSecret: true)
      }
      return path
    } catch {
      complain(error.reason)
      return nil
    }
  }

  func remove() {
    folder?.remove()
    folder = nil
  }
}
