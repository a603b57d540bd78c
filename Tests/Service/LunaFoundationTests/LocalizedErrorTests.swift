import Bluetooth
import Diagnosis
import Foundation
import LunaBuzzer
import LunaCore
import LunaFoundation
import LunaOnboarder
import LunaProtocol
import Testing

/// What Foundation says of Luna's errors.
struct LocalizedErrorTests {
  /// These have nothing to do with Luna, or only the command imports them.
  private static let others: Set<String> = [
    "CommandSpec", "LunaVectors", "LunaCLI", "TerminalTable",
  ]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources").standardizedFileURL

  /// The folders of all rooms.
  private static func rooms() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
      .flatMap {
        try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
      }
  }

  private static func texts(of room: URL) throws -> [String] {
    let files = FileManager.default.enumerator(at: room, includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Every public error of a module that a program can import.
  @Test func coversAllErrors() throws {
    var errors: Set<String> = []
    var covered: Set<String> = []
    for room in try Self.rooms() where !Self.others.contains(room.lastPathComponent) {
      for text in try Self.texts(of: room) {
        if room.lastPathComponent == "LunaFoundation" {
          for match in text.matches(of: #/(?m)^extension (\w+): LocalizedError \{/#) {
            covered.insert(String(match.1))
          }
          continue
        }
        for match in text.matches(
          of: #/(?m)^public (?:struct|enum|final class) (\w+)[^{\n]*\b(?:Error|Diagnosed)\b/#)
        {
          errors.insert(String(match.1))
        }
        for match in text.matches(of: #/(?m)^extension (\w+): (?:[\w, ]*, )?(?:Error|Diagnosed)\b/#)
        {
          errors.insert(String(match.1))
        }
      }
    }
    #expect(errors.count > 25)
    #expect(errors.subtracting(covered).isEmpty, "without a text: \(errors.subtracting(covered))")
    #expect(covered.subtracting(errors).isEmpty)
  }

  @Test func saysWhatHappenedAndWhatToDo() {
    let error: any Error = BuzzerError(.notHeard, "it was not heard", remedy: "go nearer")
    #expect(error.localizedDescription == "it was not heard")
    #expect((error as? any LocalizedError)?.recoverySuggestion == "go nearer")
    let onboarding: any Error = OnboardingError(.keyed, "it has an owner")
    #expect(onboarding.localizedDescription == "it has an owner")
    #expect((onboarding as? any LocalizedError)?.recoverySuggestion == nil)
    let gatt: any Error = GATTError(.timedOut, during: "read", "no answer")
    #expect(gatt.localizedDescription == "read: no answer")
    #expect((gatt as? any LocalizedError)?.recoverySuggestion?.contains("silent") == true)
  }

  @Test func neverSaysThatTheOperationCouldNotBeCompleted() {
    var errors: [any Error] = LunaFrameRejection.allCases
    errors += ESFRejection.allCases as [any Error]
    errors += EventRejection.allCases as [any Error]
    errors += LocationRejection.allCases as [any Error]
    errors += OnboardingCodeRejection.allCases as [any Error]
    for error in errors {
      #expect(!error.localizedDescription.contains("could not be completed"))
      #expect(error.localizedDescription.count > 10)
    }
  }
}
