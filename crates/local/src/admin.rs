//! The first admin, created at the first start and again after the database was lost.

use anyhow::{Result, anyhow};
use waraq_aws::Cloud;
use waraq_core::accounts::{AccountWrite, Address, Role, add_admin};
use waraq_operations::new_password;

use crate::folder::DataFolder;

/// Name of the file with the credentials of the first admin. Only the owner of the file can read it.
pub const FILE: &str = "first-admin.txt";

/// Prefix of a line in [`FILE`]. The line exists if the account has been created, and contains the id of the account.
const ACCOUNT_LINE_PREFIX: &str = "account:";

/// The credentials of the first admin.
#[derive(Debug, Clone)]
pub struct FirstAdmin {
    pub email: String,
    pub password: String,
    pub creation: AdminCreation,
}

/// The start of the local server at which the first admin was created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminCreation {
    Earlier,
    FirstStart,
    /// The admin was created at this start, because the database with the previous admin was lost.
    AfterDataLoss,
}

/// Deletes the saved credentials of the first admin if they say that the account was created in the lost database.
/// Returns whether they were deleted. This function must be called before the new database is created. Then, if the
/// process is killed in between, the next start still sees that the database is missing.
pub fn forget_lost(folder: &DataFolder) -> Result<bool> {
    let file = folder.read_file(FILE)?.map(|file| String::from_utf8_lossy(&file).into_owned());
    let lost = file.is_some_and(|file| file.lines().any(|line| line.starts_with(ACCOUNT_LINE_PREFIX)));
    if lost {
        folder.delete_file(FILE)?;
    }
    Ok(lost)
}

/// Returns the first admin of this data folder, and creates the account if necessary. The credentials are written to
/// [`FILE`] before the account is created. If the process is killed before the account exists, the next start creates
/// it with the password from the file. `lost` is the result of [`forget_lost`].
pub async fn first_admin(folder: &DataFolder, cloud: &Cloud, email: &str, lost: bool) -> Result<FirstAdmin> {
    let made =
        folder.read_or_create(FILE, || format!("email: {email}\npassword: {}\n", new_password(cloud)).into_bytes())?;
    let made = String::from_utf8_lossy(&made).into_owned();
    let line = |name: &str| made.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    let (Some(email), Some(password)) = (line("email:"), line("password:")) else {
        return Err(anyhow!("{} names no e-mail and password: mend it or delete it", folder.path(FILE).display()));
    };
    if let Some(id) = line(ACCOUNT_LINE_PREFIX) {
        ensure_admin(cloud, &id).await?;
        return Ok(FirstAdmin { email, password, creation: AdminCreation::Earlier });
    }
    let address = Address::parse(&email)?;
    let id = match cloud.accounts().address_claims(&address).await?.owner {
        Some(id) => id,
        None => {
            let credentials = (email.as_str(), password.as_str());
            add_admin(cloud.accounts(), cloud.password_store(), cloud.clock(), cloud.random_source(), credentials)
                .await?
                .id
        }
    };
    folder
        .write_file(FILE, format!("email: {email}\npassword: {password}\n{ACCOUNT_LINE_PREFIX} {id}\n").as_bytes())?;
    Ok(FirstAdmin {
        email,
        password,
        creation: if lost { AdminCreation::AfterDataLoss } else { AdminCreation::FirstStart },
    })
}

/// Adds this admin to the set of admins in the table. The first admin of an old data folder may not be in that set.
async fn ensure_admin(cloud: &Cloud, id: &str) -> Result<()> {
    if cloud.accounts().account(id).await?.is_some_and(|account| account.role == Role::Admin) {
        cloud.accounts().commit(vec![AccountWrite::AddAdmin { account_id: id.to_owned() }]).await?;
    }
    Ok(())
}
