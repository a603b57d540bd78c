import BlueZ
import Bluetooth
import Diagnosis
import EventLoop
import Glibc
import LunaClient
import LunaCore
import LunaFinder
import LunaLocation
import LunaStore

/// The machine that this process runs on.
struct LinuxMachine: Machine {
  /// How long it is watched who uses the adapters.
  private static let watching = Duration.seconds(1.5)
  /// How long a location source may take; gpsd tells every second.
  private static let locating = Duration.seconds(6)

  let settings: DoctorSettings

  func kernel() async -> KernelSurvey { await RadioSurvey().kernel() }
  func daemon() async -> DaemonSurvey { await RadioSurvey().daemon() }

  func neighbours() async -> NeighbourSurvey {
    let clock = settings.clock
    return await RadioSurvey().neighbours { try? await clock.sleep(LinuxMachine.watching) }
  }

  func release() async -> KernelRelease? {
    await Blocking.run {
      // Not from /proc, of which a service may see the processes only (ProcSubset=pid).
      var told = utsname()
      guard uname(&told) == 0 else { return nil }
      return KernelRelease(
        KernelRelease.text(told.release), version: KernelRelease.text(told.version),
        signature: SmallFile.text(at: "/proc/version_signature") ?? "")
    }
  }

  func daemonVersion(of process: Int32?) async -> String? {
    let own = await Blocking.run {
      process.flatMap { SmallFile.text(at: "/proc/\($0)/cmdline") }
    }
    let running = own?.split(separator: "\0").first.map { String($0) }
    // Debian and Fedora, older Debian, Arch.
    let usual = [
      "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
    ]
    for path in [running].compactMap(\.self) + usual where path.hasPrefix("/") {
      if let version = await Programs.version(of: path) { return version }
    }
    return nil
  }

  func listen() async -> ListenFacts {
    let source: any AdvertisementSource
    do throws(SourceError) {
      source = try settings.radio.makeRadio(.auto).source
    } catch {
      return ListenFacts(name: settings.radioName, seconds: 0, error: error)
    }
    let ear = Ear(source, clock: settings.clock, for: settings.listening)
    guard settings.adapters != nil else { return await ear.listen() }
    let result = Results<ListenFacts>()
    // What the kernel says to bluetoothd meanwhile tells why a scan does not begin.
    let neighbours = await RadioSurvey().neighbours { await result.set(ear.listen()) }
    var facts = await result.value ?? ListenFacts(name: settings.radioName, seconds: 0)
    facts.neighbours = neighbours
    return facts
  }

  func isClockSynchronised() async -> Bool? { KernelClock.isSynchronised }

  func location(_ choice: LocationChoice) async -> LocationFacts {
    let source = choice.makeSource(clock: settings.clock)
    var facts = LocationFacts(
      choice: choice, name: source.description, seconds: LinuxMachine.locating.components.seconds)
    let clock = settings.clock
    await source.start()
    let end = Task {
      try? await clock.sleep(LinuxMachine.locating)
      await source.stop()
    }
    for await update in source.updates {
      facts.update = update
      if case .fix = update { break }
      // It tries again; somebody waits for the answer.
      if case .unavailable = update { break }
    }
    end.cancel()
    await source.stop()
    return facts
  }

  func backend() async -> BackendExamination {
    guard var configuration = settings.backend else { return BackendExamination() }
    configuration.connectTimeout = .seconds(5)
    configuration.totalTimeout = .seconds(5)
    do throws(BackendError) {
      let client = try BackendClient(configuration, token: try token())
      return await client.examine(as: settings.role, clock: settings.clock)
    } catch {
      return BackendExamination(problem: error)
    }
  }

  private func token() throws(BackendError) -> TokenSource {
    if let token = settings.token { return token }
    do throws(DeviceStoreError) {
      return .standard(settings.role, in: try settings.directory().path)
    } catch {
      throw BackendError(.local, error.reason, remedy: error.remedy)
    }
  }

  func queue(in directory: StateDirectory) async -> QueueFacts {
    let now = settings.clock.now()
    return await Blocking.run {
      do throws(DeviceStoreError) {
        let status = try SQLiteEventQueue.status(
          in: directory, fileName: LunaConfiguration().dataFilename, at: now)
        return QueueFacts(status: status, now: now)
      } catch {
        return QueueFacts(error: error, now: now)
      }
    }
  }

  func disk(of directory: StateDirectory) async -> DiskFacts {
    await Blocking.run { DiskReader.read(directory.path) }
  }

  func state(_ directory: StateDirectory) async -> StateFacts {
    await Blocking.run { StateReader.read(directory) }
  }

  func units() async -> UnitFacts { await UnitReader.read() }
}

/// A value that another task brings.
private actor Results<Value: Sendable> {
  private(set) var value: Value?

  func set(_ value: Value) { self.value = value }
}
