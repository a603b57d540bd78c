import Diagnosis
import LunaJSON
import UplinkProtocol

/// What replays usually differ by.
package enum UsualVariations {
  /// Reads a list of them, percent: `[PERCENT,...]`, or an object with such a list as `variations`.
  ///
  /// - Parameter path: the file; `-` is standard input.
  /// - Throws: ``UplinkError`` of kind `denied`, `unreadable` or `noVariations`.
  package static func read(_ path: String) async throws(UplinkError) -> [Double] {
    let bytes = try await UplinkFile.bytes(of: path)
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
    throw UplinkError(
      .noVariations, "\(UplinkFile.name(path)) is no list of variations",
      remedy: "write [PERCENT,...]")
  }
}
