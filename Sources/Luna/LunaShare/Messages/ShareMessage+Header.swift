import LunaCore
public import LunaCrypto
import LunaJSON
import LunaProtocol

// The plaintext of an envelope: u32 length | JSON | records (SHARING.md, 2).

extension ShareMessage {
  /// Whole numbers of JSON that every reader has exactly.
  private static let exact: ClosedRange<Int64> = -(1 << 53) + 1...(1 << 53) - 1

  /// The header.
  var header: JSONObject {
    var header: JSONObject = [
      "kind": .string(grant == nil ? "end" : "grant"), "share": .string(share.description),
      "serial": .integer(serial),
    ]
    if let grant {
      let (periods, clock) = (grant.periods, grant.clock)
      header.append("name", .string(grant.name))
      header.append("model", .string(grant.model))
      header.append("rights", .array(periods.rights.words.map { .string($0) }))
      header.append("first", .integer(Int64(periods.periods.first)))
      header.append("count", .integer(Int64(periods.periods.count)))
      if let ring = periods.rights.ring {
        header.append("ringSeconds", .integer(Int64(ring.seconds)))
        header.append("ringsPerPeriod", .integer(Int64(ring.perPeriod)))
      }
      header.append(
        "clock",
        [
          "low": .integer(clock.low), "high": .integer(clock.high), "at": .integer(clock.time),
        ])
      header.append("backend", .string(grant.backend))
    }
    header.append("issuedAt", .integer(issuedAt))
    if let grant { header.append("until", .integer(grant.periods.until)) }
    return header
  }

  /// Reads a plaintext.
  ///
  /// - Throws: the first of `header`, `kind`, `range` and `records` that is wrong.
  public init(plaintext: SecretBytes) throws(ShareRejection) {
    let (header, recordsStart) = try ShareMessage.readHeader(plaintext)
    let recordCount = plaintext.count - recordsStart
    do throws(FormatError) {
      let kind = try header.string("kind")
      guard let share = DeviceUUID(try header.string("share")) else {
        throw FormatError("share", "is no UUID")
      }
      self.share = share
      serial = try header.integer("serial", in: 0...ShareMessage.exact.upperBound)
      issuedAt = try header.integer("issuedAt", in: ShareMessage.exact)
      grant = nil
      guard kind == "grant" else {
        guard kind == "end" else { throw FormatError("kind", "is another") }
        guard recordCount == 0 else { throw FormatError("records", "are too many") }
        return
      }
    } catch {
      switch error.member {
      case "kind" where (try? header.string("kind")) != nil: throw .kind
      case "records": throw .records
      default: throw .header
      }
    }
    let fields: Fields
    do throws(FormatError) { fields = try Fields(header) } catch { throw .header }
    guard SharedPeriods.isRange(first: fields.first, count: fields.count) else { throw .range }
    let periods = PeriodRange(
      first: UInt32(fields.first), last: UInt32(fields.first + fields.count - 1))
    let records = plaintext.withBytes { bytes in
      SecretBytes(copying: bytes.extracting(recordsStart...))
    }
    guard
      let shared = SharedPeriods(
        periods: periods, rights: fields.rights, until: fields.until, records: records)
    else { throw .records }
    grant = ShareGrant(
      name: fields.name, model: fields.model, backend: fields.backend, clock: fields.clock,
      periods: shared)
  }

  /// The header, and where the records begin.
  private static func readHeader(
    _ plaintext: SecretBytes
  ) throws(ShareRejection) -> (JSONMembers, Int) {
    let text: [UInt8]? = plaintext.withBytes { bytes in
      guard bytes.count >= 4 else { return nil }
      let count = (0..<4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
      guard count <= headerLimit, count <= bytes.count - 4 else { return nil }
      return (4..<4 + count).map { bytes[$0] }
    }
    guard let text,
      let value = try? JSONReader.read(text, rules: .strict(elements: 16)),
      let members = try? JSONMembers(value, name: "header")
    else { throw .header }
    return (members, 4 + text.count)
  }

  /// The members of a grant.
  private struct Fields {
    let name, model, backend: String
    let rights: ShareRights
    let first, count, until: Int64
    let clock: ClockInterval

    init(_ header: JSONMembers) throws(FormatError) {
      name = try header.string("name")
      model = try header.string("model")
      backend = try header.string("backend")
      rights = try Fields.rights(header)
      first = try header.integer("first", in: ShareMessage.exact)
      count = try header.integer("count", in: ShareMessage.exact)
      until = try header.integer("until", in: 0...ShareMessage.exact.upperBound)
      let clock = try JSONMembers(header.object["clock"] ?? .null, name: "clock")
      self.clock = ClockInterval(
        low: try clock.integer("low", in: ShareMessage.exact),
        high: try clock.integer("high", in: ShareMessage.exact),
        time: try clock.integer("at", in: ShareMessage.exact))
    }

    /// `status` and `ring`, in this order and once; the numbers of rings with the latter alone.
    private static func rights(_ header: JSONMembers) throws(FormatError) -> ShareRights {
      let words = try header.array("rights")
      var rest = words[...]
      let hasStatus = rest.first == .string("status")
      if hasStatus { rest.removeFirst() }
      let hasRing = rest.first == .string("ring")
      if hasRing { rest.removeFirst() }
      guard rest.isEmpty else { throw FormatError("rights", "are not known") }
      guard hasRing else {
        guard header.object["ringSeconds"] == nil, header.object["ringsPerPeriod"] == nil else {
          throw FormatError("ringSeconds", "is there without the right")
        }
        return ShareRights(status: hasStatus)
      }
      let seconds = try header.integer("ringSeconds", in: 1...60)
      let perPeriod = try header.integer("ringsPerPeriod", in: 1...8)
      guard let ring = RingRight(seconds: Int(seconds), perPeriod: Int(perPeriod)) else {
        throw FormatError("ringsPerPeriod", "is not 1, 2, 4 or 8")
      }
      return ShareRights(status: hasStatus, ring: ring)
    }
  }
}
