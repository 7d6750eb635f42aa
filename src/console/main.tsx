import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { keptTheme, setTheme } from './frame/theme.js';
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/inbox.css';
import './style/run.css';
import './style/operator.css';
import './style/envelope.css';
import './style/small.css';
import './style/pages.css';

setTheme(keptTheme());
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
