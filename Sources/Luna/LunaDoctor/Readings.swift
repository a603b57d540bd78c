import BlueZ
import LunaClient
import LunaCore
import LunaStore

/// What several checks have to know, read once, by whoever needs it first.
actor Readings {
  nonisolated let machine: any Machine
  private let settings: DoctorSettings
  private var kernelTask: Task<KernelSurvey, Never>?
  private var daemonTask: Task<DaemonSurvey, Never>?
  private var releaseTask: Task<KernelRelease?, Never>?
  private var backendTask: Task<BackendExamination, Never>?

  init(_ settings: DoctorSettings, _ machine: any Machine) {
    self.settings = settings
    self.machine = machine
  }

  /// The adapters, and what the kernel lets us do; nil where they do not matter.
  var radio: RadioFacts? {
    get async {
      guard let wanted = settings.adapters else { return nil }
      return RadioFacts(wanted: wanted, kernel: await kernel)
    }
  }

  private var kernel: KernelSurvey {
    get async {
      let task = kernelTask ?? Task { await machine.kernel() }
      kernelTask = task
      return await task.value
    }
  }

  /// What bluetoothd tells; nil when it takes long, for those whose answer does not hang on it.
  var daemonIfQuick: DaemonSurvey? {
    get async {
      let task = daemonReading()
      return await TimeLimit.run(.seconds(8), settings.clock) { await task.value }
    }
  }

  /// What bluetoothd tells.
  var daemon: DaemonSurvey {
    get async { await daemonReading().value }
  }

  private func daemonReading() -> Task<DaemonSurvey, Never> {
    let task = daemonTask ?? Task { await machine.daemon() }
    daemonTask = task
    return task
  }

  /// The kernel's version.
  var release: KernelRelease? {
    get async {
      let task = releaseTask ?? Task { await machine.release() }
      releaseTask = task
      return await task.value
    }
  }

  /// What the backend tells; nil where there is none.
  var backend: BackendExamination? {
    get async {
      guard settings.backend != nil else { return nil }
      let task = backendTask ?? Task { await machine.backend() }
      backendTask = task
      return await task.value
    }
  }
}
