import { translationLoaded } from './language/language.ts'

// Not by a top-level `await`: Safari may run a module that imports one which awaits before it (WebKit bug 242740).
void translationLoaded.then(() => import('./interface.tsx'))
