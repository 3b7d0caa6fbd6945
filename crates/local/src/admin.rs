//! The first admin: made at the first start, and once more where the database was lost.

use anyhow::{Result, anyhow};
use waraq_aws::Cloud;
use waraq_core::accounts::{Address, Role, Write, add_admin};

use crate::folder::Folder;

/// The file the credentials are kept in, readable by its owner only.
pub const FILE: &str = "first-admin.txt";

/// The line that says that the account is there.
const ACCOUNT: &str = "account:";

/// Whom to sign in as.
#[derive(Debug, Clone)]
pub struct FirstAdmin {
    pub email: String,
    pub password: String,
    pub made: Made,
}

/// When the first admin was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Before,
    Now,
    /// At this start, because the database that had the one before is gone.
    Anew,
}

/// Forgets the admin of a database that is gone, with his password; whether there was one. To be called before the new database is
/// made: killed between the two, the next start finds no database again.
pub fn forget_lost(folder: &Folder) -> Result<bool> {
    let file = folder.read(FILE)?.map(|file| String::from_utf8_lossy(&file).into_owned());
    let lost = file.is_some_and(|file| file.lines().any(|line| line.starts_with(ACCOUNT)));
    if lost {
        folder.remove(FILE)?;
    }
    Ok(lost)
}

/// The first admin of this folder. The file is written before the account: killed between the two, the next start makes
/// the account with the password the file has. `lost`: what [`forget_lost`] said.
pub async fn first_admin(folder: &Folder, cloud: &Cloud, email: &str, lost: bool) -> Result<FirstAdmin> {
    let made = folder.once(FILE, || format!("email: {email}\npassword: {}\n", new_password(cloud)).into_bytes())?;
    let made = String::from_utf8_lossy(&made).into_owned();
    let line = |name: &str| made.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let (Some(email), Some(password)) = (line("email:"), line("password:")) else {
        return Err(anyhow!("{} names no e-mail and password: mend it or delete it", folder.path(FILE).display()));
    };
    if let Some(id) = line(ACCOUNT) {
        stays_admin(cloud, &id).await?;
        return Ok(FirstAdmin { email, password, made: Made::Before });
    }
    let address = Address::parse(&email)?;
    let id = match cloud.accounts().holders(&address).await?.owner {
        Some(id) => id,
        None => {
            let credentials = (email.as_str(), password.as_str());
            add_admin(cloud.accounts(), cloud.identity(), cloud.clock(), cloud.chance(), credentials).await?.id
        }
    };
    folder.write(FILE, format!("email: {email}\npassword: {password}\n{ACCOUNT} {id}\n").as_bytes())?;
    Ok(FirstAdmin { email, password, made: if lost { Made::Anew } else { Made::Now } })
}

/// Four groups of five letters and digits: 100 bits, easy to type.
pub fn new_password(cloud: &Cloud) -> String {
    let letters: Vec<char> = "0123456789abcdefghjkmnpqrstvwxyz".chars().collect();
    let mut chance = [0u8; 20];
    cloud.chance().fill(&mut chance);
    let picked: Vec<char> = chance.iter().filter_map(|byte| letters.get(usize::from(byte % 32))).copied().collect();
    picked.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// The set of admins knows this one: a folder of before there was such a set has none.
async fn stays_admin(cloud: &Cloud, id: &str) -> Result<()> {
    if cloud.accounts().account(id).await?.is_some_and(|account| account.role == Role::Admin) {
        cloud.accounts().commit(vec![Write::Admin { account_id: id.to_owned() }]).await?;
    }
    Ok(())
}
