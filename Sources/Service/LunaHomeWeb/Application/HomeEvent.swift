public import LunaHome

/// What happens in a home, for the program that it is part of.
public enum HomeEvent: Sendable {
  /// A file holds from now on.
  case configured
  /// Something is wrong in a file that was read.
  case problem(Problem)
  /// Something of a tracker has changed; with it all that is known of it now.
  case trackerChanged(HomeTracker)
  /// A rule ran.
  case fired(HomeFiring)
  /// A tracker of somebody else was found to stay with the box.
  case suspect(HomeSuspect)
  /// Somebody is signed in.
  case signedIn(Session)
  /// Somebody is no longer signed in.
  case signedOut(Session)
  /// How it stands with the radio.
  case radio(HomeLink)
  /// How it stands with the backend.
  case backend(HomeLink)
}
