public import LunaCore
public import LunaProtocol
import SQLite

extension SQLiteDeviceStore {
  /// The clocks that were kept.
  public func clockStates() throws(DeviceStoreError) -> [DeviceUUID: ClockState] {
    let statement = try database.prepare(
      """
      SELECT uuid, low, high, time, track_low, track_high, track_time, track_period, track_count
      FROM clocks JOIN devices ON devices.id = clocks.device
      """)
    var states: [DeviceUUID: ClockState] = [:]
    while try statement.step() {
      let uuid = try Self.uuid(statement.bytes(0), path: database.path)
      var state = ClockState(
        interval: ClockInterval(
          low: statement.integer(1), high: statement.integer(2), time: statement.integer(3)))
      if let period = statement.optionalInteger(7) {
        state.provisional = ProvisionalTrack(
          interval: ClockInterval(
            low: statement.integer(4), high: statement.integer(5), time: statement.integer(6)),
          lastPeriod: UInt32(clamping: period),
          distinctPeriods: max(1, min(Int(statement.integer(8)), ProvisionalTrack.periodsToPromote))
        )
      }
      states[uuid] = state
    }
    return states
  }

  /// Keeps the clocks of some devices; those of unknown devices are left out.
  public func save(_ states: [DeviceUUID: ClockState]) throws(DeviceStoreError) {
    try database.transaction { () throws(DeviceStoreError) in
      let statement = try database.prepare(
        """
        REPLACE INTO clocks SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
        FROM devices WHERE uuid = ?1
        """)
      for (uuid, state) in states {
        let track = state.provisional
        statement.bind(1, uuid.bytes.span)
        statement.bind(2, state.interval.low)
        statement.bind(3, state.interval.high)
        statement.bind(4, state.interval.time)
        statement.bind(5, track?.interval.low)
        statement.bind(6, track?.interval.high)
        statement.bind(7, track?.interval.time)
        statement.bind(8, track.map { Int64($0.lastPeriod) })
        statement.bind(9, track.map { Int64($0.distinctPeriods) })
        try statement.run()
      }
    }
  }
}
