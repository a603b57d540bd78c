public import Bluetooth
public import LunaCore
public import LunaProtocol
import SQLite

// What one has shared, and what others have.

extension SQLiteDeviceStore {
  /// The longest share, s: 400 days.
  package static let longestShare: Int64 = 400 * 86_400

  /// The shares of one's own trackers, oldest first.
  public func sentShares() throws(DeviceStoreError) -> [SentShareRow] {
    let row = try database.prepare(
      """
      SELECT share, tracker, contact, recipient, serial, first, last, status, ring_seconds, rings,
        issued, until, renewed, ended FROM shares ORDER BY rowid
      """)
    var rows: [SentShareRow] = []
    while try row.step() {
      rows.append(
        SentShareRow(
          share: try Self.uuid(row.bytes(0), path: path),
          tracker: try Self.uuid(row.bytes(1), path: path), contact: row.text(2),
          recipient: row.bytes(3), serial: Self.bounded(row.integer(4)),
          periods: Self.periods(row, 5), rights: Self.rights(row, 7),
          issuedAt: Self.bounded(row.integer(10)), until: Self.bounded(row.integer(11)),
          isRenewed: row.integer(12) != 0,
          endedAt: row.optionalInteger(13).map { Self.bounded($0) }))
    }
    return rows
  }

  /// The devices of which somebody else was given the status, and until when. To end a share early takes nothing
  /// back.
  public func sharedStatus() throws(DeviceStoreError) -> [DeviceUUID: Timestamp] {
    let row = try database.prepare(
      "SELECT tracker, max(until) FROM shares WHERE status <> 0 GROUP BY tracker")
    var ends: [DeviceUUID: Timestamp] = [:]
    while try row.step() {
      let tracker = try Self.uuid(row.bytes(0), path: path)
      let seconds = min(max(0, row.integer(1)), Int64(UInt32.max))
      ends[tracker] = Timestamp(unixMilliseconds: seconds * 1000)
    }
    return ends
  }

  /// Keeps a share of one's own tracker. One that was ended stays so, whoever looked at it before.
  public func put(_ share: SentShareRow) throws(DeviceStoreError) {
    let row = try database.prepare(
      """
      INSERT INTO shares VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      ON CONFLICT(share) DO UPDATE SET recipient = ?4, serial = ?5, first = ?6, last = ?7, status = ?8,
        ring_seconds = ?9, rings = ?10, issued = ?11, until = ?12, renewed = ?13, ended = ?14
        WHERE ended IS NULL OR ?14 IS NOT NULL
      """)
    row.bind(1, share.share.bytes.span)
    row.bind(2, share.tracker.bytes.span)
    row.bind(3, share.contact)
    row.bind(4, share.recipient.span)
    row.bind(5, share.serial)
    Self.bind(share.periods, share.rights, to: row, 6)
    row.bind(11, share.issuedAt)
    row.bind(12, share.until)
    row.bind(13, share.isRenewed ? 1 : 0)
    row.bind(14, share.endedAt)
    try row.run()
  }

  /// The shares of others.
  public func receivedShares() throws(DeviceStoreError) -> [ReceivedShareRow] {
    let row = try database.prepare(
      """
      SELECT sender, share, serial, until, device, first, last, status, ring_seconds, rings, model,
        backend, issued FROM received ORDER BY issued
      """)
    var rows: [ReceivedShareRow] = []
    while try row.step() {
      rows.append(
        ReceivedShareRow(
          sender: row.bytes(0), share: try Self.uuid(row.bytes(1), path: path),
          serial: Self.bounded(row.integer(2)), until: Self.bounded(row.integer(3)),
          device: row.isNull(4) ? nil : try Self.uuid(row.bytes(4), path: path),
          rights: Self.rights(row, 7), periods: Self.periods(row, 5), model: row.text(10),
          backend: row.text(11), issuedAt: Self.bounded(row.integer(12))))
    }
    return rows
  }

  /// Takes what somebody else has shared or ended, all of it or, with an error, nothing. A table of that
  /// share that was here before is overwritten.
  ///
  /// - Parameters:
  ///   - device: what it becomes; nil: it has ended, and the device that it was is removed.
  ///   - clock: what its owner knows of its clock; taken where nothing newer is known here.
  /// - Returns: false when a message that is as new or newer has come meanwhile; then nothing is changed.
  public func take(
    _ share: ReceivedShareRow, as device: Device?, clock: ClockInterval?
  ) throws(DeviceStoreError) -> Bool {
    let isTaken = try database.transaction { () throws(DeviceStoreError) -> Bool in
      let known = try receivedShares().first {
        $0.sender == share.sender && $0.share == share.share
      }
      if let known, known.serial >= share.serial { return false }
      if let device {
        try write([device], sealingWith: try currentKey())
      } else if let former = known?.device {
        try Self.remove(former, database)
      }
      try write(share)
      guard let device, let clock else { return true }
      let statement = try database.prepare(
        """
        INSERT INTO clocks(device, low, high, time)
        SELECT id, ?2, ?3, ?4 FROM devices WHERE uuid = ?1
        ON CONFLICT(device) DO UPDATE SET low = ?2, high = ?3, time = ?4, track_low = NULL,
          track_high = NULL, track_time = NULL, track_period = NULL, track_count = NULL
        WHERE time < ?4
        """)
      statement.bind(1, device.uuid.bytes.span)
      statement.bind(2, clock.low)
      statement.bind(3, clock.high)
      statement.bind(4, clock.time)
      try statement.run()
      return true
    }
    if isTaken {
      // What was replaced is zeroed in the file; the log still has older pages.
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      rope.pull()
    }
    return isTaken
  }

  private func write(_ share: ReceivedShareRow) throws(DeviceStoreError) {
    let row = try database.prepare(
      "REPLACE INTO received VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
    row.bind(1, share.sender.span)
    row.bind(2, share.share.bytes.span)
    row.bind(3, share.serial)
    row.bind(4, share.until)
    if let device = share.device { row.bind(5, device.bytes.span) } else { row.bind(5, nil) }
    Self.bind(share.periods, share.rights, to: row, 6)
    row.bind(11, share.model)
    row.bind(12, share.backend)
    row.bind(13, share.issuedAt)
    try row.run()
  }

  /// Removes what has ended: the tables of periods, and what is known of those shares. Of one that was made anew the last
  /// serial is kept as long as an older message may last: it may be left in a mailbox, and last longer.
  ///
  /// - Parameter now: Unix s.
  /// - Returns: how many.
  @discardableResult
  public func wipeEndedShares(at now: Int64) throws(DeviceStoreError) -> Int {
    try Self.wipeEndedShares(at: now, database)
  }

  static func wipeEndedShares(
    at now: Int64, _ database: borrowing Database
  ) throws(DeviceStoreError) -> Int {
    let search = try database.prepare("SELECT device FROM received WHERE until <= ?1")
    search.bind(1, now)
    var devices: [[UInt8]] = []
    while try search.step() { devices.append(search.isNull(0) ? [] : search.bytes(0)) }
    guard !devices.isEmpty else { return 0 }
    try database.transaction { () throws(DeviceStoreError) in
      for device in devices where !device.isEmpty {
        try remove(try uuid(device, path: database.path), database)
      }
      let keep = try database.prepare(
        """
        UPDATE received SET device = NULL, until = min(max(issued, 0), ?3) + ?2
        WHERE until <= ?1 AND device IS NOT NULL AND serial > 1 AND min(max(issued, 0), ?3) + ?2 > ?1
        """)
      keep.bind(1, now)
      keep.bind(2, longestShare)
      keep.bind(3, Int64(UInt32.max) - longestShare)
      try keep.run()
      let drop = try database.prepare("DELETE FROM received WHERE until <= ?1")
      drop.bind(1, now)
      try drop.run()
    }
    // Waits for readers; when one stays, the log is emptied by whoever closes the store last.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return devices.count
  }

  private static func remove(
    _ device: DeviceUUID, _ database: borrowing Database
  ) throws(DeviceStoreError) {
    for sql in [
      "DELETE FROM sightings WHERE device = (SELECT id FROM devices WHERE uuid = ?)",
      "DELETE FROM devices WHERE uuid = ? AND kind = '\(DeviceKind.lunaShared.rawValue)'",
    ] {
      let statement = try database.prepare(sql)
      statement.bind(1, device.bytes.span)
      try statement.run()
    }
  }

  /// A number as large as messages may have it: what a damaged row says is reckoned with.
  static func bounded(_ number: Int64) -> Int64 { min(max(number, -(1 << 53)), 1 << 53) }

  private static func bind(
    _ periods: PeriodRange, _ rights: ShareRights, to row: borrowing Statement, _ column: Int32
  ) {
    row.bind(column, Int64(periods.first))
    row.bind(column + 1, Int64(periods.last))
    row.bind(column + 2, rights.status ? 1 : 0)
    row.bind(column + 3, Int64(rights.ring?.seconds ?? 0))
    row.bind(column + 4, Int64(rights.ring?.perPeriod ?? 0))
  }

  private static func periods(_ row: borrowing Statement, _ column: Int32) -> PeriodRange {
    PeriodRange(
      first: UInt32(clamping: row.integer(column)), last: UInt32(clamping: row.integer(column + 1)))
  }

  private static func rights(_ row: borrowing Statement, _ column: Int32) -> ShareRights {
    ShareRights(
      status: row.integer(column) != 0,
      ring: RingRight(
        seconds: Int(clamping: row.integer(column + 1)),
        perPeriod: Int(clamping: row.integer(column + 2))))
  }
}
