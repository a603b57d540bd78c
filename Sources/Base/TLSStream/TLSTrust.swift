/// Which servers a client takes for the ones that they say they are.
package enum TLSTrust: Hashable, Sendable {
  /// Those for whose name or address an authority of the system's vouches.
  case system(name: String)
  /// Those for whom an authority of this file (PEM) vouches, for a name or address; nil for whatever name.
  case authorities(file: String, name: String?)
}
