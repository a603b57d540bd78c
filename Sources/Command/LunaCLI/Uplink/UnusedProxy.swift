import Glibc

/// The proxy that the environment names for https: other commands go through it, a recording does not.
enum UnusedProxy {
  /// As libcurl reads them, the first one that says something.
  private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  /// The variable that names one; nil where none does.
  static var variable: String? {
    variables.first { name in getenv(name).map { $0[0] != 0 } ?? false }
  }
}
