import LunaFinder

print(LunaConfiguration().timeBetweenPostsToServerInSeconds)
