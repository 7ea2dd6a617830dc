import { translationLoaded } from '../language/language.ts'

// Not by a top-level `await`: see the script of the interface.
void translationLoaded.then(() => import('./share-document.tsx'))
