import Glibc

extension HomeSurroundings {
  /// This machine.
  public static var ofThisMachine: HomeSurroundings {
    HomeSurroundings(
      isZone: { name in
        !name.split(separator: "/").contains("..")
          && access("/usr/share/zoneinfo/\(name)", R_OK) == 0
      },
      hasLibrary: { name in
        let file = ["libmosquitto": "libmosquitto.so.1", "libcurl": "libcurl.so.4"][name] ?? name
        guard let library = dlopen(file, RTLD_LAZY | RTLD_LOCAL) else { return false }
        dlclose(library)
        return true
      },
      secretFile: { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT ? .absent : .fine }
        return status.st_mode & 0o077 == 0 ? .fine : .open
      })
  }
}
