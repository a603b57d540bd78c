import Bluetooth
import CLuna
import EventLoop
import Foundation
import LunaC
import LunaCore
import LunaProtocol
import LunaStore
import LunaTesting
import Synchronization
import Testing
import TrackerMachine
import TrackerSimulation

/// Trackers followed with libluna, as a program in C follows them.
@Suite(.timeLimit(.minutes(10)))
struct FollowingTests {
  private typealias Heard = LunaCTests.Heard
  private typealias Handle = LunaCTests.Handle

  /// Calls `luna_following_start`, in a thread that may wait, and gives how it ended and the handle.
  private static func start(
    _ source: String, _ state: String, _ heard: Heard
  ) async -> (status: luna_status, text: String, following: Handle) {
    await Blocking.run { () -> (luna_status, String, Handle) in
      var following: OpaquePointer?
      let status = luna_following_start(
        source, state,
        { json, context in
          guard let json else { return }
          Heard.of(context)?.add(String(cString: json))
        },
        { status, _, context in
          Heard.of(context)?.end.withLock { $0 = status }
          Heard.of(context)?.news.signal()
        }, heard.pointer, &following)
      return (status, String(cString: luna_error_text()), Handle(scan: following))
    }
  }

  private static func stop(_ following: Handle) async -> luna_status {
    await Blocking.run { luna_following_stop(following.scan) }
  }

  /// Puts the trackers of the simulated room that are one's own into a directory.
  ///
  /// - Returns: their UUIDs.
  private static func fill(_ folder: TestFolder) async throws -> [String] {
    let devices = try DemoTracker.all(seed: 1).compactMap { tracker -> Device? in
      guard tracker.kind == .own, let ownership = tracker.record.ownership else { return nil }
      return Device(
        uuid: ownership.uuid, masterKey: ownership.masterKey,
        onboardingTimestamp: Timestamp(
          microseconds: Int64(ownership.onboardingTimestamp) * 1_000_000),
        name: tracker.name)
    }
    try await SQLiteDeviceStore(in: StateDirectory(path: folder.path)).put(devices)
    return devices.map(\.uuid.description)
  }

  @Test func followsTheTrackersOfADirectory() async throws {
    let folder = TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let own = try await Self.fill(folder)
    try #require(own.count == 3)
    let heard = Heard()
    let answer = await Self.start("virtual:1", folder.path, heard)
    try #require(answer.status == LUNA_OK, "\(answer.text)")
    await Blocking.run { heard.news.wait() }
    #expect(await Self.stop(answer.following) == LUNA_OK)
    // Others are in the room as well; who follows is told of none of them.
    for line in heard.lines.withLock({ $0 }) {
      #expect(line.hasPrefix("{\"type\":\"device\",\"event\":"))
      #expect(own.contains { line.contains("\"device\":\"\($0)\"") }, "\(line)")
    }
    // Who stops it is not told that it has ended.
    #expect(heard.end.withLock { $0 } == nil)
  }

  /// The one thing that is written to standard error.
  @Test func saysThatWhatWasLearnedIsNotKept() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = TestFolder()
      _ = try await FollowingTests.fill(folder)
      let heard = LunaCTests.Heard()
      let answer = await FollowingTests.start("virtual:1", folder.path, heard)
      try #require(answer.status == LUNA_OK, "\(answer.text)")
      // One that is heard by its address alone has taught nothing that could be kept.
      repeat {
        await Blocking.run { heard.news.wait() }
      } while !heard.lines.withLock { $0.contains { $0.contains("\"eid\":") } }
      // A file in its place, so that no saving makes it anew.
      repeat {
        try? FileManager.default.removeItem(atPath: folder.path)
      } while !FileManager.default.createFile(atPath: folder.path, contents: nil)
      #expect(await FollowingTests.stop(answer.following) == LUNA_OK)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("what was learned is not kept"), "\(said)")
  }

  @Test func tellsTheEndOfARecording() async throws {
    let folder = TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let recording = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../captures/horizon74_home-scan.btsnoop").standardizedFileURL.path
    let heard = Heard()
    let answer = await Self.start("file:" + recording, folder.path, heard)
    try #require(answer.status == LUNA_OK, "\(answer.text)")
    await Blocking.run { heard.news.wait() }
    #expect(heard.end.withLock { $0 } == LUNA_OK)
    // Nothing in that directory is anybody's.
    #expect(heard.lines.withLock { $0.isEmpty })
    #expect(await Self.stop(answer.following) == LUNA_OK)
  }

  @Test func saysThatADirectoryCannotBe() async {
    let answer = await Self.start("virtual:1", "/dev/null/nowhere", Heard())
    #expect(answer.status == LUNA_UNAVAILABLE)
    #expect(answer.text.contains("/dev/null"))
    #expect(answer.following.scan == nil)
  }

  @Test func refusesWhatMakesNoSense() async {
    let unknown = await Self.start("nonsense", "/nowhere", Heard())
    #expect(unknown.status == LUNA_INVALID)
    #expect(unknown.following.scan == nil)
    var following: OpaquePointer?
    let unheard = luna_following_start("virtual:1", "/nowhere", nil, nil, nil, &following)
    #expect(unheard == LUNA_INVALID)
    #expect(String(cString: luna_error_text()) == "the callback is NULL")
    #expect(following == nil)
    let unheld = luna_following_start("virtual:1", "/nowhere", { _, _ in }, nil, nil, nil)
    #expect(unheld == LUNA_INVALID)
    #expect(luna_following_stop(nil) == LUNA_OK)
  }
}
