import BlueZ
import Bluetooth
import Diagnosis

/// A fault that some kernels have, where it lies, and what it does to Luna.
struct KernelFault: Sendable {
  let what: String
  let state: CheckState
  let remedy: Remedy?
  private let concerns: @Sendable (KernelRelease, Adapter?, AdapterHardware?) -> Bool

  private init(
    _ what: String, _ state: CheckState = .ok, remedy: Remedy? = nil,
    where concerns: @escaping @Sendable (KernelRelease, Adapter?, AdapterHardware?) -> Bool
  ) {
    self.what = what
    self.state = state
    self.remedy = remedy
    self.concerns = concerns
  }

  /// The faults that this kernel has with this adapter, the worst first.
  static func all(
    in kernel: KernelRelease, _ adapter: Adapter?, _ hardware: AdapterHardware?
  ) -> [KernelFault] {
    known.filter { $0.concerns(kernel, adapter, hardware) }
  }

  /// MediaTek's company, and those who sell its radios under USB numbers of their own.
  private static let mediaTek: Set<UInt16> = [0x0E8D, 0x0489, 0x13D3, 0x04CA]

  private static let known = [
    // Commit 634a4408c061 of 7.1-rc3 and the stable releases named; mended by e3ac0d9f1a20.
    KernelFault(
      "its btmtk does not start radios of MediaTek (\"Failed to send wmt func ctrl\")", .failed,
      remedy: "install a newer kernel, such as 7.0.10, or boot the one before"
    ) { kernel, adapter, hardware in
      let isBroken =
        kernel.isWithin([7, 0, 7], [7, 0, 10]) || kernel.isWithin([6, 18, 30], [6, 18, 33])
        || kernel.isWithin([6, 12, 88], [6, 12, 91])
        || (kernel.major == 7 && kernel.minor == 1 && [3, 4].contains(kernel.candidate))
      let isMediaTek = hardware?.usb?.vendor.map(mediaTek.contains) ?? false
      // One that has its address was started.
      return isBroken && isMediaTek && adapter?.address == nil
    },
    // mgmt Add Advertisement Patterns Monitor.
    KernelFault(
      "it cannot scan passively beside bluetoothd, as kernels since 5.10 can", .warning,
      remedy: "a newer kernel"
    ) { kernel, _, _ in kernel.isWithin([0, 0, 0], [5, 10, 0]) },
    // 27d54b778ad1, mended by 941c998b42f5.
    KernelFault("a scan may fall silent, which Luna notices and starts it anew") { kernel, _, _ in
      kernel.isWithin([6, 1, 0], [6, 1, 57]) || kernel.isWithin([6, 2, 0], [6, 5, 7])
    },
    // 8e8b92ee60de, mended by 2cabe7ff1001 of March 2026.
    KernelFault(
      "after a connection the scan may not go on, which Luna notices and starts it anew"
    ) { kernel, _, _ in kernel.isWithin([5, 17, 0], [7, 0, 0]) },
  ]

  /// Whether btusb lets an adapter be suspended while it scans: until 312b09bbe983 of January 2026.
  static func sleepsWhileScanning(_ kernel: KernelRelease?) -> Bool {
    kernel?.isWithin([0, 0, 0], [7, 0, 0]) ?? true
  }
}
