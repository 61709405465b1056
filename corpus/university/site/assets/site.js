/* small helpers */
(function(){var b=document.querySelector('.agree-button');if(b){b.addEventListener('click',function(){b.parentNode.style.display='none';});}})();
