import Diagnosis
import Testing
import UplinkProtocol

@testable import LunaCLI

/// Checks of several recordings, of which one fails.
struct UplinkSeveralReplaysTests {
  @Test(arguments: [
    ReplayError.Kind.unknownRecording, .blocked, .lost, .malformed, .refused,
  ])
  func checksTheOthers(_ kind: ReplayError.Kind) async throws {
    var (checked, failed): ([String], [String]) = ([], [])
    try await UplinkCheckSession.each(["a", "b", "c"]) { name in
      checked.append(name)
      if name != "c" { throw ReplayError(kind) }
    } failed: { name, error in
      failed.append(CommandFailure(error, of: name).reason)
    }
    let reason = ReplayError(kind).reason
    #expect(checked == ["a", "b", "c"] && failed == ["a: \(reason)", "b: \(reason)"])
  }

  /// What concerns all of them ends it.
  @Test(arguments: [
    ReplayError.Kind.connect, .authorities, .addressBusy, .overloaded, .ipFlip, .cancelled,
  ])
  func asksNoServerInVain(_ kind: ReplayError.Kind) async {
    var count = 0
    let error = await #expect(throws: ReplayError.self) {
      try await UplinkCheckSession.each(["a", "b"]) { _ in
        count += 1
        throw ReplayError(kind)
      } failed: { _, _ in
        count += 1
      }
    }
    #expect(error?.kind == kind && count == 1)
  }

  /// Of one alone it is the error.
  @Test func oneAloneFails() async {
    await #expect(throws: ReplayError.self) {
      try await UplinkCheckSession.each(["a"]) { _ in
        throw ReplayError(.unknownRecording)
      } failed: { _, _ in
        Issue.record("there are no others")
      }
    }
  }

  @Test func saysWhichOneFailed() {
    let failure = CommandFailure(ReplayError(.unknownRecording), of: "Film-11252026")
    #expect(failure.code == .backend && failure.name == "unknownRecording")
    #expect(failure.weheCode == 15 && failure.hint != nil)
  }
}
