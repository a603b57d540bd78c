import LunaJSON

/// A file of samples: those of one replay, or `{"original": ..., "control": ...}`.
public struct ReplayFile: Hashable, Sendable {
  /// The largest file that is read: 4 MiB, some times what two full sets take.
  public static let maximumCount = 4 << 20
  /// How deep lists may lie in each other.
  private static let depth = 16

  /// The samples of the original, or of the one replay there is.
  public let original: ReplaySamples
  /// Those of the control; nil in a file of one replay.
  public let control: ReplaySamples?

  /// Reads a file.
  public init(_ bytes: [UInt8]) throws(ReplayFileError) {
    guard bytes.count <= ReplayFile.maximumCount else { throw .tooLarge }
    var rules = JSONRules.strict(elements: ReplaySamples.limit)
    rules.depth = ReplayFile.depth
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONReader.read(bytes, rules: rules)
    } catch {
      throw .json(error)
    }
    do throws(FormatError) {
      guard case .object(let object) = json else {
        original = try ReplaySamples(json: json, name: "the replay")
        control = nil
        return
      }
      for name in ["original", "control"] where object[name] == nil {
        throw FormatError(name, "is missing")
      }
      original = try ReplaySamples(json: object["original"] ?? .null, name: "original")
      control = try ReplaySamples(json: object["control"] ?? .null, name: "control")
    } catch {
      throw .format(error)
    }
  }
}
