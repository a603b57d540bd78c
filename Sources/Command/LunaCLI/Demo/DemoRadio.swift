import Bluetooth
import TrackerSimulation

/// A radio in the room of the trackers, by the time of the demonstration.
struct DemoRadio: RadioProvider {
  let room: TrackerRoom
  let clock: DemoClock

  var air: RadioAir { .simulated }

  func makeRadio(_ mode: ScanMode) -> Radio { room.radio(startingAt: clock.time) }
}
