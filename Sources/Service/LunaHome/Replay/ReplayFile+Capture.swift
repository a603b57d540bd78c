import Bluetooth
public import Luna
import LunaCore
import LunaDocuments

extension ReplayFile {
  /// What rules would have been told of a recording of the air.
  ///
  /// - Parameters:
  ///   - luna: hears the recording, and knows one's own devices.
  ///   - configuration: whose trackers they are.
  /// - Throws: `SourceError` for a recording that cannot be read; `DeviceStoreError`.
  public init(hearing luna: Luna, for configuration: HomeConfiguration) async throws {
    let all = try await luna.owner().allDevices()
    let devices = configuration.devices(among: all)
    var ear = HomeEar()
    ear.adopt(configuration, devices)
    let scan = try await luna.local().scan(Array(devices.values))
    var entries: [Entry] = []
    do {
      try await scan.start()
      let adapter = scan.description.adapter ?? ""
      while let batch = try await scan.nextBatch() {
        // A batch of a recording may be of a long time.
        for report in batch where report.time != .unknown {
          let wall = report.time.microseconds
          let inputs = ear.inputs(
            [report], scan.follow([report]), adapter: adapter, box: nil,
            at: Moment(wall: wall, boot: wall))
          entries += inputs.map { Entry(input: $0, wall: wall) }
        }
      }
    } catch {
      await luna.local().stop()
      throw error
    }
    await luna.local().stop()
    self.init(entries: entries)
  }
}
