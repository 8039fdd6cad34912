import fc from 'fast-check'

// On a contributor's machine every run tries new values; a check of a commit is the same each time it is made.
if (process.env.CI) fc.configureGlobal({ seed: 20_251_007 })
