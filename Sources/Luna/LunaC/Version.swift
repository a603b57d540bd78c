import Glibc
import LunaCore

/// Lives as long as the process.
nonisolated(unsafe) private let versionText = LunaVersion.text.withCString {
  UnsafePointer(strdup($0))
}

/// `luna_version` of luna.h.
@_cdecl("luna_version")
public func version() -> UnsafePointer<CChar>? { versionText }
