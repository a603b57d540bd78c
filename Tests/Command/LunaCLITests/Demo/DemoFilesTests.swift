import Foundation
import Glibc
import Testing

@testable import LunaCLI

@Suite("The files of the demonstration", .timeLimit(.minutes(10)))
struct DemoFilesTests {
  private let base = NSTemporaryDirectory() + "luna-demo-test-\(UUID().uuidString)"
  private let files = FileManager.default

  @Test("A temporary place is gone with all that is in it")
  func leavesNothing() throws {
    let place = try DemoPlace(keeping: nil)
    let inner = place.directory("a/b")
    try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
    #expect(files.createFile(atPath: inner + "/file", contents: Data([1])))
    place.discard()
    #expect(!files.fileExists(atPath: place.path))
  }

  @Test("A place of one's own has to be empty, and is kept")
  func keeps() throws {
    defer { try? files.removeItem(atPath: base) }
    do {
      let place = try DemoPlace(keeping: base + "/deep")
      #expect(files.createFile(atPath: place.directory("file"), contents: nil))
      place.discard()
    }
    #expect(files.fileExists(atPath: base + "/deep/file"))
    #expect { try DemoPlace(keeping: base + "/deep") } throws: { error in
      let failure = error as? CommandFailure
      return failure?.code == .usage && failure?.reason.contains("not an empty directory") == true
    }
  }

  @Test("A picture that cannot be drawn is refused at once")
  func refusesPicture() throws {
    for path in [base + "/missing/map.svg", NSTemporaryDirectory()] {
      #expect { try DemoPicture(path, force: true) } throws: {
        ($0 as? CommandFailure)?.code == .lost
      }
    }
    #expect { try DemoPicture("/proc/self/exe", force: false) } throws: {
      ($0 as? CommandFailure)?.code == .usage
    }
    // A device is written through.
    try DemoPicture("/dev/null", force: false).write("<svg/>")
    #expect(
      try files.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        == .typeCharacterSpecial)
  }

  @Test("A picture is there only once it is drawn")
  func draws() throws {
    try files.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: base) }
    let picture = try DemoPicture(base + "/map.svg", force: false)
    #expect(try files.contentsOfDirectory(atPath: base).isEmpty)
    try picture.write("<svg/>")
    #expect(try String(contentsOfFile: base + "/map.svg", encoding: .utf8) == "<svg/>")
    #expect(try files.contentsOfDirectory(atPath: base) == ["map.svg"])
  }

  @Test("A picture that takes the place of another has its mode")
  func keepsTheMode() throws {
    try files.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: base) }
    let path = base + "/map.svg"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try DemoPicture(path, force: true).write("<svg/>")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "<svg/>")
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  /// In a process of its own, since all of it goes to that directory.
  @Test("A picture that nobody has named takes a free name")
  func takesAFreeName() async throws {
    let base = base
    try files.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: base) }
    await #expect(processExitsWith: .success) { [base = base as String] in
      try #require(chdir(base) == 0)
      for name in ["luna-demo.svg", "luna-demo-2.svg", "luna-demo-3.svg"] {
        let picture = try DemoPicture(nil, force: false)
        #expect(picture.path == name)
        try picture.write("<svg/>")
      }
      #expect(try DemoPicture(nil, force: true).path == "luna-demo.svg")
    }
    #expect(try files.contentsOfDirectory(atPath: base).count == 3)
  }

  @Test("What has to be put away is, the last first, also in a cancelled task")
  func clears() async {
    let stage = DemoStage()
    let order = AsyncStream<Int>.makeStream()
    for number in 1...3 {
      stage.atEnd {
        try? await Task.sleep(for: .milliseconds(1))
        if !Task.isCancelled { order.continuation.yield(number) }
      }
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await stage.clear()
      await stage.clear()
    }
    task.cancel()
    await task.value
    order.continuation.finish()
    var numbers: [Int] = []
    for await number in order.stream { numbers.append(number) }
    #expect(numbers == [3, 2, 1])
  }
}
