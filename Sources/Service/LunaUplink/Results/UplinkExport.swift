import Diagnosis
import Gzip
import LunaJSON
package import LunaStore
import SafeText
import UplinkProtocol

/// A stored result for other programs.
package enum UplinkExport {
  /// How it is written.
  package enum Form: String, CaseIterable, Sendable {
    case json, csv, svg, wehe
  }

  /// The lines of a result, or of its samples.
  ///
  /// - Throws: ``UplinkError`` of kind `unreadable` or `noSamples`.
  package static func lines(_ record: UplinkRecord, _ form: Form) throws(UplinkError) -> [String] {
    switch form {
    case .json: return [record.document]
    case .wehe: return [String(decoding: try samples(of: record), as: UTF8.self)]
    case .csv:
      let file = try replays(of: record)
      let control = file.control.map { rows("control", $0) } ?? []
      return [CSVCell.row(["kind", "seconds", "mbps"])] + rows("original", file.original) + control
    case .svg:
      let json = try? JSONReader.read(Array(record.document.utf8))
      guard case .object(let result)? = json else {
        throw UplinkError(.unreadable, "this result cannot be read")
      }
      let file = try record.samples.isEmpty ? nil : replays(of: record)
      return [ResultPicture(result, samples: file).text]
    }
  }

  private static func replays(of record: UplinkRecord) throws(UplinkError) -> ReplayFile {
    let bytes = try samples(of: record)
    do throws(ReplayFileError) {
      return try ReplayFile(bytes)
    } catch {
      throw UplinkError(
        .unreadable, "the samples of this result cannot be read: \(error.reason)")
    }
  }

  private static func rows(_ kind: String, _ samples: ReplaySamples) -> [String] {
    zip(samples.times, samples.rates).map { CSVCell.row([kind, "\($0)", "\($1)"]) }
  }

  private static func samples(of record: UplinkRecord) throws(UplinkError) -> [UInt8] {
    guard !record.samples.isEmpty else {
      throw UplinkError(
        .noSamples, "this result has no samples", remedy: "write the result alone")
    }
    do throws(GzipError) {
      return try Gzip.inflate(record.samples, limit: ReplayFile.maximumCount)
    } catch {
      throw UplinkError(.unreadable, "the samples of this result cannot be read")
    }
  }
}
