import Diagnosis
import LunaJSON
import UplinkProtocol

/// The samples of Wehe's clients as the commands read them.
enum UplinkSamples {
  /// A file of samples.
  static func read(_ path: String) async throws(CommandFailure) -> ReplayFile {
    let bytes = try await InputFile.read(path)
    do throws(ReplayFileError) {
      return try ReplayFile(bytes)
    } catch {
      throw CommandFailure(
        .unreadableInput, "\(name(path)) is no file of samples: \(error)",
        hint: "a replay is written [[Mbit/s,...],[seconds,...]]")
    }
  }

  /// A file of the samples of one replay.
  static func readSide(_ path: String) async throws(CommandFailure) -> ReplaySamples {
    let file = try await read(path)
    guard file.control == nil else {
      throw CommandFailure(
        .unreadableInput, "\(name(path)) holds two replays, and one is asked for",
        hint: "write original and control into a file each")
    }
    return file.original
  }

  /// What replays usually differ by, percent: a list, or what luna uplink locate --baseline prints.
  static func readVariations(_ path: String) async throws(CommandFailure) -> [Double] {
    let bytes = try await InputFile.read(path)
    var json = try? JSONReader.read(bytes, rules: .strict(elements: ReplaySamples.limit))
    if case .object(let object)? = json { json = object["variations"] }
    var numbers: [Double] = []
    if case .array(let elements)? = json {
      for element in elements {
        switch element {
        case .integer(let value): numbers.append(Double(value))
        case .real(let value): numbers.append(value)
        default: break
        }
      }
      if numbers.count == elements.count, !numbers.isEmpty { return numbers }
    }
    throw CommandFailure(
      .unreadableInput, "\(name(path)) is no list of variations",
      hint: "write [PERCENT,...], as luna uplink locate --baseline does")
  }

  /// What a rule says of what a server holds of two replays.
  static func judge(
    _ original: ReplaySamples, _ control: ReplaySamples, _ rule: OriginalRule
  ) throws(CommandFailure) -> OriginalJudgement {
    do throws(StatisticsError) {
      return try OriginalJudgement(original: original.held, control: control.held, rule: rule)
    } catch {
      throw CommandFailure(
        .unreadableInput, error.reason, hint: "check the samples that the two files hold")
    }
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
