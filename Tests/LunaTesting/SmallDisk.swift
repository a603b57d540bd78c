import Foundation

/// A file system of 1 MiB in memory, mounted for a test; it can be filled to the last byte.
public final class SmallDisk {
  /// Where it is mounted.
  public let path: String

  /// Whether there can be one: tests that need it are left out elsewhere, and that is said.
  public static let isPossible = SmallDisk() != nil

  /// Nil, after a word on why, where this process may not mount.
  public init?() {
    path = NSTemporaryDirectory() + "luna-small-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let said = try SmallDisk.run(
        "/bin/mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "luna-test", path])
      guard let said else { return }
      print("no small disk to fill, so that a full one is not tried: \(said)")
    } catch {
      print("no small disk to fill, so that a full one is not tried: \(error)")
    }
    try? FileManager.default.removeItem(atPath: path)
    return nil
  }

  deinit {
    // A program that another test starts may have a file of it open for a moment.
    _ = try? SmallDisk.run("/bin/umount", ["-l", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  private var filler: String { path + "/filler" }

  /// Leaves no byte free.
  public func fill() throws {
    // A program that another test starts would keep the file, and with it the room that it takes.
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var block = [UInt8](repeating: 0x5A, count: 4096)
    while write(descriptor, &block, block.count) > 0 {}
    while write(descriptor, &block, 1) > 0 {}
  }

  /// There is room again.
  public func free() throws { try FileManager.default.removeItem(atPath: filler) }

  /// What a program said when it failed; nil when it did not.
  private static func run(_ program: String, _ words: [String]) throws -> String? {
    let run = try TestProgram.run([program] + words)
    return run.status == 0 ? nil : run.errors
  }
}
