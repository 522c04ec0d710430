import { createRoot } from 'react-dom/client';
import { takeTokenFromAddress } from './api/token';
import { App } from './app/app';
import './styles/colors.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/conversation.css';
import './styles/cards.css';
import './styles/timeline.css';

takeTokenFromAddress();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
